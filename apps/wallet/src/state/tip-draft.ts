/**
 * What is being tipped through one offer. It belongs to the account that wrote it. Its idempotency key is made when the
 * tip is confirmed first and changed only by success or by other words or another amount (decisions "API"), neither of which
 * there is while nobody knows whether it was sent.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { localStore, sessionStore } from '@athos/app-core/storage';
import { parseAth, type MicroAth } from '@athos/domain/money';
import { createValue, type Value } from '@athos/app-core/value';

export interface TipDraft {
  /** ATH as typed: `2.5`. */
  readonly amount: string;
  readonly from: string;
  readonly note: string;
  /** From the first confirmation on. */
  readonly key?: string;
  /** Nobody knows whether it was sent: it is asked for again as it is, and not changed, before there is another. */
  readonly isOpen?: true;
}

export const EMPTY_TIP: TipDraft = { amount: '', from: '', note: '' };

const tipDraftKey = (userUuid: string, offerId: number): string =>
  `tip-draft:${userUuid}:${offerId}`;

/** `undefined` while there is no amount above 0. */
export function tipAmount({ amount }: TipDraft): MicroAth | undefined {
  const parsed = parseAth(amount);
  return parsed === undefined || parsed === 0n ? undefined : parsed;
}

const isSameTip = (left: TipDraft, right: TipDraft): boolean =>
  tipAmount(left) === tipAmount(right) &&
  left.from.trim() === right.from.trim() &&
  left.note.trim() === right.note.trim();

function parseTip(text: string | null): TipDraft | undefined {
  if (text === null) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<Record<keyof TipDraft, unknown>>;
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
    return {
      amount: textOf(stored.amount),
      from: textOf(stored.from),
      note: textOf(stored.note),
      ...(typeof stored.key === 'string' && { key: stored.key }),
      ...(stored.isOpen === true && { isOpen: true }),
    };
  } catch {
    return undefined;
  }
}

export interface TipDraftStore extends Pick<Value<TipDraft>, 'get' | 'subscribe'> {
  /** Does nothing while it is open. */
  change: (fields: Partial<TipFields>) => void;
  /**
   * The user confirmed: gives what is asked for, which is a tip whose outcome is not known, of whichever tab, before
   * anything else. Its key is the same one until it is sent.
   */
  confirm: () => ConfirmedTip;
  /** The server refused: nothing is open, so only the tab keeps the draft. */
  noteRefusal: () => void;
  /** It was sent. */
  clear: () => void;
}

export type TipFields = Pick<TipDraft, 'amount' | 'from' | 'note'>;

export interface ConfirmedTip extends TipFields {
  readonly key: string;
  /** It was asked for before, and may have been sent then. */
  readonly isRepeat: boolean;
}

/** In the tab; one whose outcome is not known on the device, for all tabs. */
function openTip(storageKey: string): TipDraftStore & { close: () => void } {
  const readOpen = (): TipDraft | undefined => {
    const stored = parseTip(localStore.read(storageKey));
    return stored?.isOpen ? stored : undefined;
  };
  const closed = ({ isOpen: _isOpen, ...rest }: TipDraft): TipDraft => rest;
  const value = createValue(readOpen() ?? parseTip(sessionStore.read(storageKey)) ?? EMPTY_TIP);

  function keep(draft: TipDraft): void {
    value.set(draft);
    sessionStore.write(storageKey, JSON.stringify(draft));
  }

  const handleStorage = ({ key }: StorageEvent): void => {
    // Storage was cleared with the account: nothing of it is written again.
    if (key === null) value.set(EMPTY_TIP);
    // What another tab confirmed or settled.
    else if (key === storageKey) keep(readOpen() ?? closed(value.get()));
  };
  addEventListener('storage', handleStorage);

  return {
    close: () => removeEventListener('storage', handleStorage),
    get: value.get,
    subscribe: value.subscribe,
    change(fields) {
      if (value.get().isOpen) return;
      const { key, ...rest } = { ...value.get(), ...fields };
      keep(key !== undefined && isSameTip(value.get(), rest) ? { ...rest, key } : rest);
    },
    confirm() {
      const before = readOpen();
      const draft = before ?? closed(value.get());
      const key = draft.key ?? newIdempotencyKey();
      keep({ ...draft, key, isOpen: true });
      localStore.write(storageKey, JSON.stringify(value.get()));
      return { ...draft, key, isRepeat: before !== undefined };
    },
    noteRefusal() {
      keep(closed(value.get()));
      localStore.remove(storageKey);
    },
    clear() {
      value.set(EMPTY_TIP);
      sessionStore.remove(storageKey);
      localStore.remove(storageKey);
    },
  };
}

const open = new Map<string, ReturnType<typeof openTip>>();

/** The tip that one account is writing at one offer. */
export function tipDraftOf(userUuid: string, offerId: number): TipDraftStore {
  const storageKey = tipDraftKey(userUuid, offerId);
  const store = open.get(storageKey) ?? openTip(storageKey);
  open.set(storageKey, store);
  return store;
}

/** Lets the next reader read the stored drafts, as a reload does. */
export function closeTipDrafts(): void {
  for (const store of open.values()) store.close();
  open.clear();
}
