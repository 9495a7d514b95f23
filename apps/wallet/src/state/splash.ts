import { session } from './session.ts';

/** S2-201: the splash stays at least this long. */
const SPLASH_MIN_MS = 1200;

const page = document.documentElement.dataset;

// The splash that the page carries (start-early.ts) belongs to its start. One after a later sign-in begins anew.
session.subscribe(() => {
  if (session.get().status === 'signed_out') delete page['splash'];
});

/** When the splash that is shown now was first painted. */
function shownSinceMs(): number {
  if (page['splash'] !== 'app') return performance.now();
  delete page['splash'];
  return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now();
}

/** Called with the first splash of a signed-in start. Resolves when it has been shown for long enough. */
export function waitForSplash(): Promise<void> {
  const leftMs = shownSinceMs() + SPLASH_MIN_MS - performance.now();
  return new Promise((resolve) => setTimeout(resolve, leftMs));
}
