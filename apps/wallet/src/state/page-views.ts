import { log } from './log.ts';
import { settings } from './settings.ts';

/** Spec 2: a page view at every navigation. Off unless an address is configured. Never carries the query: it may hold a code. */
export function sendPageView(path: string): void {
  const { analyticsUrl } = settings();
  if (analyticsUrl === null) return;
  try {
    navigator.sendBeacon(analyticsUrl, JSON.stringify({ type: 'page_view', path }));
  } catch (error) {
    // Blocked by the browser: the visit goes on without being counted.
    log('page_view_failed', { error: error instanceof Error ? error.name : typeof error });
  }
}
