/**
 * Tabs share the cookie of the session. If another person signs in in another tab, this tab still shows the person before. Every call names
 * the person for whom the tab was loaded, so the server refuses it, and the tab is loaded again. A call is made whenever somebody comes
 * back to it.
 */
import { isOtherSignedIn } from '../state/session.ts';
import { ask } from './call.ts';

/** Nobody signs in faster than this. Coming back to a tab causes two events, and quick switching many. */
const PAUSE_MS = 1000;

/** Calls `reload` once another person is signed in, until the returned function is called. */
export function followPerson(reload: () => void): () => void {
  let askedAtMs = 0;

  async function check(): Promise<void> {
    try {
      // Looking at a tab does not keep the session (decision 0075).
      await ask('me', {}, { isBackground: true });
    } catch {
      // A refusal is noted where it arrives. After a lost call, the next return asks again.
    }
  }

  function handleReturn(): void {
    const nowMs = Date.now();
    if (document.visibilityState === 'hidden' || nowMs - askedAtMs < PAUSE_MS) return;
    askedAtMs = nowMs;
    void check();
  }

  const unsubscribe = isOtherSignedIn.subscribe(reload);
  document.addEventListener('visibilitychange', handleReturn);
  // Of two windows side by side, both stay visible.
  addEventListener('focus', handleReturn);
  return () => {
    unsubscribe();
    isOtherSignedIn.set(false);
    document.removeEventListener('visibilitychange', handleReturn);
    removeEventListener('focus', handleReturn);
  };
}
