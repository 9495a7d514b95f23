/**
 * Page views (spec 2), counted by Plausible. Nothing is sent unless the installation names where to and the user of this
 * device allowed it, and then the pattern of the path alone: no id, no query, no referrer (docs/decisions/0013-page-views.md).
 */
import { log } from '@athos/app-core/log';
import { localStore } from '@athos/app-core/storage';
import { createValue } from '@athos/app-core/value';
import { settings } from './settings.ts';

const CHOICE_KEY = 'page-views';

export type PageViewChoice = 'allowed' | 'refused';

const readChoice = (): PageViewChoice | undefined => {
  const stored = localStore.read(CHOICE_KEY);
  return stored === 'allowed' || stored === 'refused' ? stored : undefined;
};

/** What the user said on this device; `undefined` before. */
export const pageViewChoice = createValue(readChoice());

// Of another tab; `null` is what a cleared storage says.
addEventListener('storage', ({ key }) => {
  if (key === CHOICE_KEY || key === null) pageViewChoice.set(readChoice());
});

export function choosePageViews(choice: PageViewChoice): void {
  localStore.write(CHOICE_KEY, choice);
  pageViewChoice.set(choice);
}

/** Whether this installation counts page views at all. */
export const arePageViewsConfigured = (): boolean =>
  settings().analyticsUrl !== null && settings().analyticsDomain !== null;

/** The browser says no to every site: Global Privacy Control, or Do Not Track. It is not asked again. */
export function doesBrowserRefuse(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    readonly globalPrivacyControl?: boolean;
  };
  return globalPrivacyControl === true || doNotTrack === '1';
}

/**
 * Counts one view of a page by the pattern of its path, as `/app/history/:id`. Does nothing without configuration and
 * consent. https://plausible.io/docs/events-api
 */
export function sendPageView(pattern: string): void {
  const { analyticsUrl, analyticsDomain } = settings();
  if (analyticsUrl === null || analyticsDomain === null) return;
  if (pageViewChoice.get() !== 'allowed' || doesBrowserRefuse()) return;
  const url = `https://${analyticsDomain}${pattern}`;
  fetch(analyticsUrl, {
    method: 'POST',
    // No preflight for it; Plausible's own script sends the same.
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ name: 'pageview', url, domain: analyticsDomain }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
  }).catch((error: unknown) => {
    // Blocked, or offline: the visit goes on without being counted.
    log('page_view_failed', { error: error instanceof Error ? error.name : typeof error });
  });
}
