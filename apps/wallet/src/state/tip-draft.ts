/**
 * What is being tipped through one offer. It belongs to the account that wrote it. Its idempotency key is made when the
 * tip is confirmed first and changed only by success or by other words or another amount (decisions "API").
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { parseAth, type MicroAth } from '@athos/domain/money';
import { createValue, type Value } from './create-value.ts';
import { localStore, sessionStore } from './storage.ts';

export interface TipDraft {
  /** ATH as typed: `2.5`. */
  readonly amount: string;
  readonly from: string;
  readonly note: string;
  /** From the first confirmation on. */
  readonly key?: string;
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
    };
  } catch {
    return undefined;
  }
}

export interface TipDraftStore extends Pick<Value<TipDraft>, 'get' | 'subscribe'> {
  change: (fields: Partial<Omit<TipDraft, 'key'>>) => void;
  /** The user confirmed: gives the key of this tip, the same one until it is settled. */
  confirm: () => string;
  /** The server refused: nothing is open, so only the tab keeps the draft. */
  noteRefusal: () => void;
  /** It was sent. */
  clear: () => void;
}

/** In the tab; a confirmed one also on the device until it is settled, as with the send draft. */
function openTip(storageKey: string): TipDraftStore {
  const readUnsettled = (): TipDraft | undefined => parseTip(localStore.read(storageKey));
  const value = createValue(
    parseTip(sessionStore.read(storageKey)) ?? readUnsettled() ?? EMPTY_TIP,
  );

  function keep(draft: TipDraft): void {
    value.set(draft);
    sessionStore.write(storageKey, JSON.stringify(draft));
  }

  return {
    get: value.get,
    subscribe: value.subscribe,
    change(fields) {
      const { key, ...rest } = { ...value.get(), ...fields };
      keep(key !== undefined && isSameTip(value.get(), rest) ? { ...rest, key } : rest);
    },
    confirm() {
      const draft = value.get();
      const unsettled = readUnsettled();
      const known =
        draft.key ??
        (unsettled !== undefined && isSameTip(unsettled, draft) ? unsettled.key : undefined);
      const key = known ?? newIdempotencyKey();
      keep({ ...draft, key });
      localStore.write(storageKey, JSON.stringify({ ...draft, key }));
      return key;
    },
    noteRefusal: () => localStore.remove(storageKey),
    clear() {
      value.set(EMPTY_TIP);
      sessionStore.remove(storageKey);
      localStore.remove(storageKey);
    },
  };
}

const open = new Map<string, TipDraftStore>();

/** The tip that one account is writing at one offer. */
export function tipDraftOf(userUuid: string, offerId: number): TipDraftStore {
  const storageKey = tipDraftKey(userUuid, offerId);
  const store = open.get(storageKey) ?? openTip(storageKey);
  open.set(storageKey, store);
  return store;
}

/** Lets the next reader read the stored drafts, as a reload does. */
export function closeTipDrafts(): void {
  open.clear();
}
