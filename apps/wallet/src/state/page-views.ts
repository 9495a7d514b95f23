/**
 * Page views (spec 2), counted by Plausible. Nothing is sent unless the installation configures an address and the user
 * of this device agrees, and then only the pattern of the path: no id, no query, no referrer (decision 0013).
 */
import { log } from '@athos/app-core/log';
import { followKey, localStore } from '@athos/app-core/storage';
import { createValue } from '@athos/app-core/value';
import { settings } from './settings.ts';

const CHOICE_KEY = 'page-views';

export type PageViewChoice = 'allowed' | 'refused';

const readChoice = (): PageViewChoice | undefined => {
  const stored = localStore.read(CHOICE_KEY);
  return stored === 'allowed' || stored === 'refused' ? stored : undefined;
};

/** The user's choice on this device; `undefined` before it is made. */
export const pageViewChoice = createValue(readChoice());

followKey(CHOICE_KEY, () => pageViewChoice.set(readChoice()));

export function choosePageViews(choice: PageViewChoice): void {
  localStore.write(CHOICE_KEY, choice);
  pageViewChoice.set(choice);
}

/** Whether this installation counts page views at all. */
export const arePageViewsConfigured = (): boolean =>
  settings().analyticsUrl !== null && settings().analyticsDomain !== null;

/**
 * Whether the browser refuses for every site, by Global Privacy Control or Do Not Track. Then the user is not asked.
 */
export function doesBrowserRefuse(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    readonly globalPrivacyControl?: boolean;
  };
  return globalPrivacyControl === true || doNotTrack === '1';
}

/**
 * Counts one page view by the pattern of its path, such as `/app/history/:id`. Does nothing without configuration and
 * consent. https://plausible.io/docs/events-api
 */
export function sendPageView(pattern: string): void {
  const { analyticsUrl, analyticsDomain } = settings();
  if (analyticsUrl === null || analyticsDomain === null) return;
  if (pageViewChoice.get() !== 'allowed' || doesBrowserRefuse()) return;
  const url = `https://${analyticsDomain}${pattern}`;
  fetch(analyticsUrl, {
    method: 'POST',
    // Avoids a preflight; Plausible's own script sends the same.
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ name: 'pageview', url, domain: analyticsDomain }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
  }).catch((error: unknown) => {
    // Blocked or offline, so the view is not counted.
    log('page_view_failed', { error: error instanceof Error ? error.name : typeof error });
  });
}
