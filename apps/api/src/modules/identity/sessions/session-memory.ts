import type { Clock } from '../../../platform/clock.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';

/** No token is believed for longer without another look at its row. */
const REMEMBER_MS = 60_000;
const REMEMBERED_COUNT_MAX = 50_000;

interface Remembered {
  readonly user: SignedInUser;
  readonly forgetAtMs: number;
}

export interface SessionMemory {
  /** Counts revocations: a look at a row that one overtook must not be remembered. */
  generation(): number;
  /** Does nothing if a revocation came since `generation` was read. */
  remember(
    token: string,
    user: SignedInUser,
    known: { expiresAtMs: number; generation: number },
  ): void;
  recall(token: string): SignedInUser | undefined;
  forgetSession(sessionId: string): void;
  /** Called with the id of every session that is forgotten because it ended, in any process. */
  onEnded(listener: (sessionId: string) => void): void;
}

/** What this process knows of verified tokens. While notifications may be missing it knows nothing. */
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
