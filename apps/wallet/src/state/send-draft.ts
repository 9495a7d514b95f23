/**
 * What is being sent, between the steps of the send flow and over a reload (spec 3 "recipient draft"). It belongs to the
 * account that wrote it. Its idempotency key is made when the summary is confirmed first, and is changed only by success
 * or by another amount, receiver or asset (decisions "API"), none of which there is while nobody knows whether it was
 * sent: so a repeat never sends twice, and neither does a correction of what may have gone already.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { localStore, sessionStore } from '@athos/app-core/storage';
import { parseAth, TOKEN_ASSETS, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { createValue, type Value } from '@athos/app-core/value';

export interface SendDraft {
  readonly asset: TokenAsset;
  /** As typed: `12.5`. Empty before anything was. */
  readonly paymentAmount: string;
  /** 'All' was pressed, and the amount not edited since. */
  readonly sendAll: boolean;
  /** US cents when the amount was entered, as digits; empty where they are not known. */
  readonly usd: string;
  /** The alias of the chosen contact; empty for a typed address. */
  readonly name: string;
  /** The receiver's uuid, or what was typed so far. */
  readonly address: string;
  /** A contact is chosen. */
  readonly active: boolean;
  /** From the first confirmation on. */
  readonly key?: string;
  /** Nobody knows whether it was sent: it is asked for again as it is, and not changed, before there is another. */
  readonly isOpen?: true;
}

export const EMPTY_DRAFT: SendDraft = {
  asset: 'ATH',
  paymentAmount: '',
  sendAll: false,
  usd: '',
  name: '',
  address: '',
  active: false,
};

export const sendDraftKey = (userUuid: string): string => `send-draft:${userUuid}`;

/** What is sent, in the asset's smallest unit; `undefined` while there is no amount. 0 counts as none (decision). */
export function draftAmount(draft: SendDraft): TokenUnits | undefined {
  const amount = parseAth(draft.paymentAmount);
  return amount === undefined || amount === 0n ? undefined : amount;
}

/** Same amount, receiver and asset: the same intent. */
const isSameIntent = (left: SendDraft, right: SendDraft): boolean =>
  left.asset === right.asset &&
  left.address === right.address &&
  draftAmount(left) === draftAmount(right);

function parseDraft(text: string | null): SendDraft | undefined {
  if (text === null) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<Record<keyof SendDraft, unknown>>;
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
    return {
      asset: TOKEN_ASSETS.find((asset) => asset === stored.asset) ?? EMPTY_DRAFT.asset,
      paymentAmount: textOf(stored.paymentAmount),
      sendAll: stored.sendAll === true,
      usd: textOf(stored.usd),
      name: textOf(stored.name),
      address: textOf(stored.address),
      active: stored.active === true,
      ...(typeof stored.key === 'string' && { key: stored.key }),
    };
  } catch {
    return undefined;
  }
}

/** What is asked for: a draft with its key. */
export interface ConfirmedDraft extends SendDraft {
  readonly key: string;
  /** It was asked for before, and may have been sent then. */
  readonly isRepeat: boolean;
}

export interface SendDraftStore extends Pick<Value<SendDraft>, 'get' | 'subscribe'> {
  /** Changes some fields; another amount, receiver or asset drops the key. Does nothing while it is open. */
  change: (fields: Partial<Omit<SendDraft, 'key' | 'isOpen'>>) => void;
  /**
   * The user confirmed the summary: gives what is asked for, which is a sending whose outcome is not known, of whichever
   * tab, before anything else. Its key is the same one until it is sent.
   */
  confirm: () => ConfirmedDraft;
  /** The server refused: nothing is open, so only the tab keeps the draft. */
  noteRefusal: () => void;
  /** It was sent. */
  clear: () => void;
}

/**
 * The draft lives in the tab. An open one is kept on the device, for all tabs: an app that is closed while the outcome is
 * unknown finds it with its key again.
 */
function openDraft(userUuid: string): SendDraftStore & { close: () => void } {
  const storageKey = sendDraftKey(userUuid);
  const readOpen = (): SendDraft | undefined => {
    const draft = parseDraft(localStore.read(storageKey));
    return draft?.key === undefined ? undefined : { ...draft, isOpen: true };
  };
  const closed = ({ isOpen: _isOpen, ...rest }: SendDraft): SendDraft => rest;
  const value = createValue(readOpen() ?? parseDraft(sessionStore.read(storageKey)) ?? EMPTY_DRAFT);

  function keep(draft: SendDraft): void {
    value.set(draft);
    sessionStore.write(storageKey, JSON.stringify(closed(draft)));
  }

  const handleStorage = ({ key }: StorageEvent): void => {
    // Storage was cleared with the account: nothing of it is written again.
    if (key === null) value.set(EMPTY_DRAFT);
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
      keep(key !== undefined && isSameIntent(value.get(), rest) ? { ...rest, key } : rest);
    },
    confirm() {
      const before = readOpen();
      const draft = closed(before ?? value.get());
      const key = draft.key ?? newIdempotencyKey();
      localStore.write(storageKey, JSON.stringify({ ...draft, key }));
      keep({ ...draft, key, isOpen: true });
      return { ...draft, key, isRepeat: before !== undefined };
    },
    noteRefusal() {
      localStore.remove(storageKey);
      keep(closed(value.get()));
    },
    clear() {
      value.set(EMPTY_DRAFT);
      sessionStore.remove(storageKey);
      localStore.remove(storageKey);
    },
  };
}

let open: { userUuid: string; store: ReturnType<typeof openDraft> } | undefined;

/** The draft of one account. */
export function sendDraftOf(userUuid: string): SendDraftStore {
  if (open?.userUuid !== userUuid) {
    open?.store.close();
    open = { userUuid, store: openDraft(userUuid) };
  }
  return open.store;
}

/** Lets the next reader read the stored draft, as a reload does. */
export function closeSendDraft(): void {
  open?.store.close();
  open = undefined;
}
