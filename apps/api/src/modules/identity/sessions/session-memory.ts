import type { Clock } from '../../../platform/clock.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { endedSessions, readEnding, type EndedSessions } from './ended-sessions.ts';

/** How long a token is remembered before the session's row is read again. */
const REMEMBER_MS = 60_000;
const REMEMBERED_COUNT_MAX = 50_000;

interface Remembered {
  readonly user: SignedInUser;
  readonly forgetAtMs: number;
}

export interface SessionMemory {
  /** The number of session endings so far, so that a row read before an ending is not remembered after it. */
  generation(): number;
  /** Does nothing if sessions ended after `generation` was read. */
  remember(
    token: string,
    user: SignedInUser,
    known: { expiresAtMs: number; generation: number },
  ): void;
  recall(token: string): SignedInUser | undefined;
  forget(ended: EndedSessions): void;
  /** Makes a user's sessions be read again at their next request, because remembered facts of the account have changed. */
  forgetUser(userId: bigint): void;
  /** Calls the listener with the sessions that end, in any process. */
  onEnded(listener: (ended: EndedSessions) => void): void;
}

/** The verified tokens that this process remembers. It remembers none while notifications may be lost. */
export function createSessionMemory(clock: Clock, notifications: Notifications): SessionMemory {
  const rememberedByToken = new Map<string, Remembered>();
  const tokensByUser = new Map<bigint, Set<string>>();
  const listeners: ((ended: EndedSessions) => void)[] = [];
  let generation = 0;

  function forgetAll(): void {
    generation += 1;
    rememberedByToken.clear();
    tokensByUser.clear();
  }

  function forget(ended: EndedSessions): void {
    generation += 1;
    const tokens = tokensByUser.get(ended.userId) ?? new Set();
    for (const token of tokens) {
      const remembered = rememberedByToken.get(token);
      if (remembered === undefined || !ended.includes(remembered.user.sessionId)) continue;
      rememberedByToken.delete(token);
      tokens.delete(token);
    }
    if (tokens.size === 0) tokensByUser.delete(ended.userId);
    for (const listener of listeners) listener(ended);
  }

  function forgetUser(userId: bigint): void {
    generation += 1;
    for (const token of tokensByUser.get(userId) ?? []) rememberedByToken.delete(token);
    tokensByUser.delete(userId);
  }

  notifications.on('user_changed', (payload) => {
    // Anybody who may connect to the database can send one.
    if (/^\d{1,18}$/.test(payload)) forgetUser(BigInt(payload));
  });
  notifications.on('sessions_ended', (payload) => {
    const ending = readEnding(payload);
    if (ending !== undefined) forget(endedSessions(ending));
  });
  notifications.onGap(forgetAll);

  return {
    generation: () => generation,
    remember(token, user, known) {
      if (known.generation !== generation) return;
      if (rememberedByToken.size >= REMEMBERED_COUNT_MAX) forgetAll();
      const forgetAtMs = Math.min(known.expiresAtMs, clock.nowMs() + REMEMBER_MS);
      rememberedByToken.set(token, { user, forgetAtMs });
      const tokens = tokensByUser.get(user.userId) ?? new Set();
      tokensByUser.set(user.userId, tokens.add(token));
    },
    recall(token) {
      if (!notifications.isListening()) return undefined;
      const found = rememberedByToken.get(token);
      return found !== undefined && found.forgetAtMs > clock.nowMs() ? found.user : undefined;
    },
    forget,
    forgetUser,
    onEnded: (listener) => listeners.push(listener),
  };
}
