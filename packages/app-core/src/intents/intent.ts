/**
 * The protocol of an action that moves value: idle → asking → done | refused | unknown.
 *
 * An intent is what the user confirmed, with the idempotency key under which it happens at most once. The key is
 * created at the first confirmation. Only success or different content replaces it (D-038). While the outcome is
 * unknown the content is locked in every tab, also after a reload, and only the same request is sent again.
 * Each flow defines what it stores, when two contents are the same, and which call is made.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import type { Outcome } from '@athos/client/outcome';
import type { ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/problem';
import { createValue, type Value } from '../value.ts';

export interface Intent<Content> {
  readonly key: string;
  readonly content: Content;
  /** True after sending until the outcome is known. False after a refusal, when the content may be changed. */
  readonly isAsked: boolean;
}

/** Storage for one intent. */
export interface IntentPlace<Content> {
  /** Reads the stored intent, whichever tab wrote it. The storage event of another tab may not have arrived yet. */
  readonly read: () => Intent<Content> | undefined;
  /** `undefined` removes the intent once it is done. */
  readonly write: (intent: Intent<Content> | undefined) => void;
  /** Whether both contents make the same request to the server, which then keeps its key. */
  readonly isSame: (left: Content, right: Content) => boolean;
}

/** The request to send now. */
export interface ConfirmedIntent<Content> {
  readonly key: string;
  readonly content: Content;
  /** It was sent before and may have happened. */
  readonly isRepeat: boolean;
}

function keyOf<Content>(
  place: IntentPlace<Content>,
  before: Intent<Content> | undefined,
  content: Content,
): string {
  const isSame = before !== undefined && place.isSame(before.content, content);
  return isSame ? before.key : newIdempotencyKey();
}

/** The user confirmed `content`. An intent with an unknown outcome, from any tab, comes before anything else. */
export function confirmIntent<Content>(
  place: IntentPlace<Content>,
  content: Content,
): ConfirmedIntent<Content> {
  const before = place.read();
  const isRepeat = before?.isAsked === true;
  const intent = isRepeat ? before : { key: keyOf(place, before, content), content, isAsked: true };
  place.write(intent);
  return { key: intent.key, content: intent.content, isRepeat };
}

/**
 * Like `confirmIntent`, for flows that prepare on the server before any value moves: creates the key, while nothing can
 * have happened yet. `isRepeat`: the server may already have prepared something under this key.
 */
export function prepareIntent<Content>(
  place: IntentPlace<Content>,
  content: Content,
): ConfirmedIntent<Content> {
  const before = place.read();
  if (before?.isAsked) return { key: before.key, content: before.content, isRepeat: true };
  const key = keyOf(place, before, content);
  place.write({ key, content, isAsked: false });
  return { key, content, isRepeat: key === before?.key };
}

/** Stores the consequence of an outcome. Does nothing if another tab has already settled this key. */
export function settleIntent<Content>(
  place: IntentPlace<Content>,
  key: string,
  status: Outcome<unknown>['status'],
): void {
  const stored = place.read();
  if (stored?.key !== key) return;
  switch (status) {
    case 'done':
      place.write(undefined);
      return;
    case 'refused':
      place.write({ ...stored, isAsked: false });
      return;
    case 'unknown':
    case 'offline':
  }
}

export type IntentState<Content, Data> =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly content: Content }
  | { readonly status: 'unknown'; readonly content: Content }
  | {
      readonly status: 'refused';
      readonly content: Content;
      readonly code: ErrorCode | undefined;
      readonly problem: Problem | undefined;
    }
  | { readonly status: 'done'; readonly content: Content; readonly data: Data };

export interface IntentStore<Content, Data> extends Pick<
  Value<IntentState<Content, Data>>,
  'get' | 'subscribe'
> {
  /**
   * Confirms `content`, sends the request and stores its outcome, whichever screen is shown by then. Resolves to the
   * resulting state. Does nothing while a request is running. `call` must not reject.
   */
  readonly ask: (
    content: Content,
    call: (intent: ConfirmedIntent<Content>) => Promise<Outcome<Data>>,
  ) => Promise<IntentState<Content, Data>>;
  /** Discards the last outcome: back to idle, unless the outcome is unknown. */
  readonly reset: () => void;
  /** Loads the stored intent. Called at the start by screens that need it, and when another tab changed it. */
  readonly follow: () => void;
}

const IDLE = { status: 'idle' } as const;

/** The intent may have happened, so its content is locked and nothing else can be sent. */
export const isFrozen = ({ status }: Pick<IntentState<unknown, unknown>, 'status'>): boolean =>
  status === 'asking' || status === 'unknown';

function stateAfter<Content, Data>(
  content: Content,
  outcome: Outcome<Data>,
): IntentState<Content, Data> {
  switch (outcome.status) {
    case 'done':
      return { status: 'done', content, data: outcome.data };
    case 'refused':
      return { status: 'refused', content, code: outcome.code, problem: outcome.problem };
    case 'unknown':
    case 'offline':
      return { status: 'unknown', content };
  }
}

/** Starts as idle, whatever is stored; see `follow`. */
export function openIntent<Content, Data = unknown>(
  place: IntentPlace<Content>,
): IntentStore<Content, Data> {
  const state = createValue<IntentState<Content, Data>>(IDLE);

  function follow(): void {
    if (state.get().status === 'asking') return;
    const stored = place.read();
    if (stored?.isAsked) state.set({ status: 'unknown', content: stored.content });
    else if (state.get().status === 'unknown') state.set(IDLE);
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    follow,
    async ask(content, call) {
      if (state.get().status === 'asking') return state.get();
      state.set({ status: 'asking', content });
      const intent = confirmIntent(place, content);
      state.set({ status: 'asking', content: intent.content });
      const outcome = await call(intent);
      settleIntent(place, intent.key, outcome.status);
      state.set(stateAfter(intent.content, outcome));
      // Another tab may have received the outcome meanwhile.
      if (state.get().status === 'unknown') follow();
      return state.get();
    },
    reset() {
      const { status } = state.get();
      if (status === 'done' || status === 'refused') state.set(IDLE);
    },
  };
}
