/**
 * Shows a toast for each transfer received while the app is open. A rise of the balance, seen by live event or poll, reports that something
 * arrived; the history names the sender.
 */
import { brand } from '@athos/brand/brand';
import { queryClient } from '@athos/app-core/query-client';
import { formatAthRoundedUp, TOKEN_ASSETS } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { QueryObserver } from '@tanstack/react-query';
import { contactBookOf, type Contact } from '../state/contacts.ts';
import { balanceQuery, type Balances } from './balance.ts';
import { counterpartyName, fetchReceived, type Received } from './history.ts';
import { client } from './http.ts';

/** The screen shows at most four toasts, so one is left for 'more arrived'. */
const TOLD_MAX = 3;
/** The server's clock is known to within a second, and a balance may be older than its response. */
const MARGIN_MS = 5_000;

const hasRisen = (before: Balances, after: Balances): boolean =>
  TOKEN_ASSETS.some((asset) => after[asset] > before[asset]);

function textOf(movement: Received, contacts: readonly Contact[]): string {
  const amount = formatAthRoundedUp(movement.amountUnits);
  const symbol = brand.tokens.find(({ code }) => code === movement.asset)?.symbol ?? '';
  const name = counterpartyName(movement, contacts);
  return name === undefined
    ? m.history_arrived({ amount, symbol })
    : m.history_arrived_from({ amount, symbol, name });
}

/** Runs until the returned function is called. */
export function tellArrivals(userUuid: string): () => void {
  let known = queryClient.getQueryData(balanceQuery.queryKey);
  let sinceMs = client.serverNowMs() - MARGIN_MS;
  let newestId = 0;
  let telling = Promise.resolve();
  let hasStopped = false;

  async function tell(): Promise<void> {
    const askedMs = client.serverNowMs();
    const found = await fetchReceived(sinceMs, TOLD_MAX + 1);
    if (hasStopped) return;
    const fresh = found.filter(({ id }) => id > newestId);
    sinceMs = askedMs - MARGIN_MS;
    newestId = Math.max(newestId, ...fresh.map(({ id }) => id));
    const contacts = contactBookOf(userUuid).get();
    for (const movement of fresh.slice(0, TOLD_MAX).toReversed()) {
      toasts.show('success', textOf(movement, contacts), 5000);
    }
    if (fresh.length > TOLD_MAX) toasts.show('success', m.history_arrived_more(), 5000);
  }

  // Only observes: `live-updates.ts` polls the balance.
  const observer = new QueryObserver(queryClient, { ...balanceQuery, enabled: false });
  const unsubscribe = observer.subscribe(({ data }) => {
    if (data === undefined) return;
    const isMore = known !== undefined && hasRisen(known, data);
    known = data;
    // Runs are sequential, so that no arrival is reported twice. After a failure, the next run reports the missed ones as well.
    if (isMore) telling = telling.then(tell).catch(() => undefined);
  });
  return () => {
    hasStopped = true;
    unsubscribe();
  };
}
