/**
 * The protocol of an action that moves value: idle → asking → done | refused | unknown.
 *
 * An intent is what the user confirmed, with the key under which it happens at most once. The key is made at the first
 * confirmation and kept until there is an answer; only success or another content changes it (D-038). While the outcome is
 * unknown the content stays as it was asked, in every tab and after a reload, and only the same request is sent again.
 * Each flow states what it stores, when two contents are the same, and which call is made.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import type { Outcome } from '@athos/client/outcome';
import type { ErrorCode } from '@athos/contract/errors';
import { createValue, type Value } from '../value.ts';

export interface Intent<Content> {
  readonly key: string;
  readonly content: Content;
  /** It was sent, and no answer to it is known. Otherwise the server refused it, and it may be changed. */
  readonly isAsked: boolean;
}

/** Where one intent is kept. */
export interface IntentPlace<Content> {
  /** As stored now, by whichever tab: news of another tab may still be on their way. */
  readonly read: () => Intent<Content> | undefined;
  /** `undefined`: it is done. */
  readonly write: (intent: Intent<Content> | undefined) => void;
  /** Whether the server would see the same request, which keeps its key. */
  readonly isSame: (left: Content, right: Content) => boolean;
}

/** What is asked for now. */
export interface ConfirmedIntent<Content> {
  readonly key: string;
  readonly content: Content;
  /** It was asked for before, and may have happened then. */
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

/** The user confirmed `content`. An intent whose outcome is unknown comes before anything else, of whichever tab it is. */
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
 * As `confirmIntent`, where the server is asked to get ready before anything moves: the key is made, and nothing can have
 * happened yet. `isRepeat`: the server may be ready under this key already.
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

/** What is stored after an answer. Does nothing where another tab has settled this key already. */
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
  | { readonly status: 'refused'; readonly content: Content; readonly code: ErrorCode | undefined }
  | { readonly status: 'done'; readonly content: Content; readonly data: Data };

export interface IntentStore<Content, Data> extends Pick<
  Value<IntentState<Content, Data>>,
  'get' | 'subscribe'
> {
  /**
   * Confirms `content`, asks, and keeps what the answer calls for, whatever is on the screen by then. Answers the state that
   * this led to. Does nothing while it is asking. `call` must not reject.
   */
  readonly ask: (
    content: Content,
    call: (intent: ConfirmedIntent<Content>) => Promise<Outcome<Data>>,
  ) => Promise<IntentState<Content, Data>>;
  /** The last answer is of no more interest: idle again, unless the outcome is open. */
  readonly reset: () => void;
  /** Takes up what is stored: at the start where that matters to the screen, and when another tab changed it. */
  readonly follow: () => void;
}

const IDLE = { status: 'idle' } as const;

/** It may have happened: what was confirmed is not changed, and nothing else is asked for. */
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
      return { status: 'refused', content, code: outcome.code };
    case 'unknown':
    case 'offline':
      return { status: 'unknown', content };
  }
}

/** Idle at first, whatever is stored: see `follow`. */
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
      // Another tab may have been told meanwhile.
      if (state.get().status === 'unknown') follow();
      return state.get();
    },
    reset() {
      const { status } = state.get();
      if (status === 'done' || status === 'refused') state.set(IDLE);
    },
  };
}
