import { z } from 'zod';
import { missingOf, plainAddressFaults, topic, webUrl } from './topic.ts';

export const webApps = topic(
  {
    /** The folder of the built wallet. Without it, the API serves no pages. */
    staticDir: ['STATIC_DIR', z.string().optional()],
    /** The folder of the built scanner app, which staff open at /scanner. */
    scannerStaticDir: ['SCANNER_STATIC_DIR', z.string().optional()],
    /** `off` makes every browser drop the wallet's service worker and its caches (docs/decisions/0011-offline.md). */
    serviceWorker: ['SERVICE_WORKER', z.enum(['on', 'off']).default('on')],
    /** The receiver of the page views of consenting users: the events URL of a Plausible instance, and the site's name there. */
    analyticsUrl: ['ANALYTICS_URL', webUrl.optional()],
    analyticsDomain: [
      'ANALYTICS_DOMAIN',
      z
        .string()
        .regex(/^[a-z0-9.-]{1,253}$/i, 'must be the name of the site, such as "wallet.example.com"')
        .optional(),
    ],
  },
  {
    faults: (given) => [
      ...plainAddressFaults(given, 'ANALYTICS_URL'),
      ...missingOf(given, 'page views', ['ANALYTICS_URL', 'ANALYTICS_DOMAIN']),
    ],
    build: ({ serviceWorker, ...webApps }) => ({
      ...webApps,
      hasServiceWorker: serviceWorker === 'on',
    }),
  },
);
