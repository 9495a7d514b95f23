import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { createGate } from '../../../platform/limits/gate.ts';

/** Finds the user of a session; `undefined` if it has ended. The user's public address decides whose turn it is. */
type LookUp = (userUuid: string, sessionId: string) => Promise<SignedInUser | undefined>;

/**
 * Runs lookups through a gate. Requests of one session share a lookup that has not begun. While notifications may be lost, no token is
 * remembered: without this, the many requests of a scanner would take turns with the single requests of others, and time out.
 */
export function createSharedLookup(
  limits: Parameters<typeof createGate>[0],
  find: (sessionId: string) => Promise<SignedInUser | undefined>,
): LookUp {
  const gate = createGate(limits);
  /** Lookups that wait for their turn, by session. */
  const waiting = new Map<string, Promise<SignedInUser | undefined>>();

  async function begin(userUuid: string, sessionId: string): Promise<SignedInUser | undefined> {
    // The gate may start the lookup at once, but not before it is in the map.
    await Promise.resolve();
    return gate([userUuid], () => {
      waiting.delete(sessionId);
      return find(sessionId);
    });
  }

  return (userUuid, sessionId) => {
    const shared = waiting.get(sessionId);
    if (shared !== undefined) return shared;
    const own = begin(userUuid, sessionId).finally(() => {
      // The gate may have refused it before it began.
      if (waiting.get(sessionId) === own) waiting.delete(sessionId);
    });
    waiting.set(sessionId, own);
    return own;
  };
}
