import type { Clock } from '../../../platform/clock.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';

/** How long a token is remembered before the session's row is read again. */
const REMEMBER_MS = 60_000;
const REMEMBERED_COUNT_MAX = 50_000;

interface Remembered {
  readonly user: SignedInUser;
  readonly forgetAtMs: number;
}

export interface SessionMemory {
  /** The number of revocations so far, so that a row read before a revocation is not remembered after it. */
  generation(): number;
  /** Does nothing if a session was revoked after `generation` was read. */
  remember(
    token: string,
    user: SignedInUser,
    known: { expiresAtMs: number; generation: number },
  ): void;
  recall(token: string): SignedInUser | undefined;
  forgetSession(sessionId: string): void;
  /** Called with the id of every session that ends, in any process. */
  onEnded(listener: (sessionId: string) => void): void;
}

/** The verified tokens that this process remembers. It remembers none while it may be missing notifications. */
export function createSessionMemory(clock: Clock, notifications: Notifications): SessionMemory {
  const rememberedByToken = new Map<string, Remembered>();
  const tokensBySession = new Map<string, Set<string>>();
  const listeners: ((sessionId: string) => void)[] = [];
  let generation = 0;

  function forgetAll(): void {
    generation += 1;
    rememberedByToken.clear();
    tokensBySession.clear();
  }

  function forgetSession(sessionId: string): void {
    generation += 1;
    for (const token of tokensBySession.get(sessionId) ?? []) rememberedByToken.delete(token);
    tokensBySession.delete(sessionId);
    for (const listener of listeners) listener(sessionId);
  }

  notifications.on('session_revoked', forgetSession);
  notifications.onGap(forgetAll);

  return {
    generation: () => generation,
    remember(token, user, known) {
      if (known.generation !== generation) return;
      if (rememberedByToken.size >= REMEMBERED_COUNT_MAX) forgetAll();
      const forgetAtMs = Math.min(known.expiresAtMs, clock.nowMs() + REMEMBER_MS);
      rememberedByToken.set(token, { user, forgetAtMs });
      const tokens = tokensBySession.get(user.sessionId) ?? new Set();
      tokensBySession.set(user.sessionId, tokens.add(token));
    },
    recall(token) {
      if (!notifications.isListening()) return undefined;
      const found = rememberedByToken.get(token);
      return found !== undefined && found.forgetAtMs > clock.nowMs() ? found.user : undefined;
    },
    forgetSession,
    onEnded: (listener) => listeners.push(listener),
  };
}
