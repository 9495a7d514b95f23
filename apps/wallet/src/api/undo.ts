/** Taking back a send that has not arrived yet (decision 0058). */
import { createValue, useValue } from '@athos/app-core/value';
import { moveValue } from '@athos/client/outcome';
import { formatAthRoundedUp } from '@athos/domain/money';
import { shortUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { aliasOf, useContacts } from '../state/contacts.ts';
import { useOfflineReason } from '../state/offline-reason.ts';
import { syncBalance } from './balance.ts';
import { refreshHistory } from './history-updates.ts';
import { askForHolds, noteUndone, type Hold } from './holds.ts';
import { client } from './http.ts';
import { useServerNowMs } from './server-now.ts';

/** Short enough that the countdown shows every second. */
const COUNT_MS = 250;

interface Words {
  readonly amount: string;
  readonly symbol: string;
  /** The receiver's name. */
  readonly name: string;
}

const NONE: ReadonlySet<string> = new Set();
/** The ids of the sends that are being taken back. */
const undoing = createValue(NONE);

/**
 * Takes a send back and shows the outcome in a toast. Resolves to whether the amount is back. A send can come back only once, so its id
 * serves as the key in every tab.
 */
async function undoSend(hold: Hold, words: Words): Promise<boolean> {
  const { id } = hold;
  if (undoing.get().has(id)) return false;
  undoing.set(new Set([...undoing.get(), id]));
  const show = toasts.attempt('undo');
  const outcome = await moveValue(
    () => client.call('undoHold', { params: { id }, key: id }),
    false,
  );
  undoing.set(new Set([...undoing.get()].filter((other) => other !== id)));
  if (outcome.status === 'done') {
    show('success', m.send_undone(words), 5000);
    noteUndone(hold);
    void syncBalance();
    void refreshHistory();
    return true;
  }
  if (outcome.status === 'refused' && outcome.code === 'send_settled') {
    show('info', m.send_undo_late(words), 5000);
  } else {
    show('danger', m.send_undo_failed(), 5000);
  }
  void askForHolds();
  return false;
}

/** A send that can be undone, as the undo bar and the success dialog show it. */
export function useUndo(hold: Hold) {
  const contacts = useContacts();
  const offlineReason = useOfflineReason();
  const isUndoing = useValue(undoing).has(hold.id);
  const nowMs = useServerNowMs(COUNT_MS);
  const seconds = Math.max(0, Math.ceil((hold.atMs - nowMs) / 1_000));
  const words: Words = {
    amount: formatAthRoundedUp(hold.amountUnits),
    symbol: tokenBrand(hold.asset).symbol,
    name: aliasOf(contacts, hold.toUuid) ?? shortUuid(hold.toUuid),
  };
  return {
    words,
    arrives: seconds === 0 ? m.send_arrives_now() : m.send_arrives_in({ seconds }),
    isUndoing,
    offlineReason,
    undo: () => undoSend(hold, words),
  };
}
