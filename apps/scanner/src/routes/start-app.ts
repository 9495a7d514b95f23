import { followConnection, pollHealth } from '@athos/app-core/network';
import { session } from '../state/session.ts';

/**
 * Starts everything that runs as long as the page lives, before the first render. Returns a function that stops it, for
 * tests.
 */
export function startApp(): () => void {
  const stops = [
    session.followOtherTabs({ endOf: () => 'left', reload: () => location.reload() }),
    pollHealth(''),
    followConnection(''),
  ];
  // A bar's network may be slow, so the session resumes without a refresh. The first call shows whether the token is
  // valid.
  session.resume();
  return () => {
    for (const stop of stops) stop();
  };
}
