import { followConnection, pollHealth } from '@athos/app-core/network';
import { resumeSession } from '../api/session.ts';
import { followKeys } from '../kit/keys.ts';
import { followPresence } from '../state/presence.ts';

/** Starts everything that runs as long as the page lives. Returns a function that stops it, for tests. */
export function startApp(): () => void {
  const stops = [pollHealth(''), followConnection(''), followKeys(), followPresence()];
  void resumeSession();
  return () => {
    for (const stop of stops) stop();
  };
}
