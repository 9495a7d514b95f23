/**
 * Tabs share the cookie of the session. If another person signs in in another tab, this tab still shows the person before, although all of
 * its calls are made as the new one. So it asks who is signed in whenever somebody comes back to it, and is loaded again if that is
 * another person.
 */
import { session } from '../state/session.ts';
import { ask } from './call.ts';

/** Nobody signs in faster than this. Coming back to a tab causes two events, and quick switching many. */
const PAUSE_MS = 1000;

/** Follows who is signed in until the returned function is called. */
export function followPerson(reload: () => void): () => void {
  let askedAtMs = 0;

  async function check(): Promise<void> {
    try {
      // Looking at a tab does not keep the session (decision 0075).
      const { id } = await ask('me', {}, { isBackground: true });
      const current = session.get();
      if ('staff' in current && current.staff.id !== id) reload();
    } catch {
      // A refused call has ended the session. After a lost one, the next return asks again.
    }
  }

  function handleReturn(): void {
    const nowMs = Date.now();
    if (document.visibilityState === 'hidden' || nowMs - askedAtMs < PAUSE_MS) return;
    askedAtMs = nowMs;
    void check();
  }

  document.addEventListener('visibilitychange', handleReturn);
  // Of two windows side by side, both stay visible.
  addEventListener('focus', handleReturn);
  return () => {
    document.removeEventListener('visibilitychange', handleReturn);
    removeEventListener('focus', handleReturn);
  };
}
