import { session } from './session.ts';

/** S2-201: minimum duration of the splash. */
const SPLASH_MIN_MS = 1200;

const page = document.documentElement.dataset;

// The page's own splash (start-early.ts) belongs to its start. The splash after a later sign-in has its own start time.
session.subscribe(() => {
  if (session.get().status === 'signed_out') delete page['splash'];
});

/** When the current splash was first painted. */
function shownSinceMs(): number {
  if (page['splash'] !== 'app') return performance.now();
  delete page['splash'];
  return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now();
}

/** Called when the first splash of a signed-in start is shown. Resolves once it has been shown for its minimum time. */
export function waitForSplash(): Promise<void> {
  const leftMs = shownSinceMs() + SPLASH_MIN_MS - performance.now();
  return new Promise((resolve) => setTimeout(resolve, leftMs));
}
