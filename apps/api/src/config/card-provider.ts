import { z } from 'zod';
import { isLive, topic, webUrl, type Given } from './topic.ts';

const API_URL = 'https://api.stripe.com';
const SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';

const keysIn = (given: Given): string =>
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']
    .map((variable) => given[variable] ?? '')
    .join(' ');

/** Production refuses to start with the sandbox. */
function productionFaults(given: Given): string[] {
  const { STRIPE_API_URL: apiUrl = API_URL, STRIPE_SCRIPT_URL: scriptUrl = SCRIPT_URL } = given;
  const faults: string[] = [];
  if (apiUrl !== API_URL) {
    faults.push(
      `STRIPE_API_URL: must be ${API_URL}; a sandbox is never part of a production start`,
    );
  }
  if (!scriptUrl.startsWith('https://js.stripe.com/')) {
    faults.push('STRIPE_SCRIPT_URL: must be an address of the card provider');
  }
  for (const variable of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']) {
    if (given[variable]?.includes('_test_') === true) {
      faults.push(
        `${variable}: is a test key, which moves no money; a production start takes live keys`,
      );
    }
  }
  return faults;
}

/** A test key beside a live one takes payments that never arrive, or credits payments that were never made. */
function mixedKeyFaults(given: Given): string[] {
  const [secretMode, publishableMode] = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'].map(
    (variable) => /^[a-z]+_(test|live)_/.exec(given[variable] ?? '')?.[1],
  );
  if (secretMode === undefined || publishableMode === undefined) return [];
  return secretMode === publishableMode
    ? []
    : [
        `STRIPE_PUBLISHABLE_KEY: is a ${publishableMode} key, but STRIPE_SECRET_KEY is a ${secretMode} key`,
      ];
}

/** Live keys, which could move real money, must not be sent to a sandbox in any mode. */
function liveKeyFaults(given: Given): string[] {
  const isSandbox = (given['STRIPE_API_URL'] ?? API_URL) !== API_URL;
  return isSandbox && /_live_/.test(keysIn(given))
    ? ['STRIPE_SECRET_KEY: a live key must never be sent to a sandbox']
    : [];
}

const access = {
  secretKey: [
    'STRIPE_SECRET_KEY',
    z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of the card provider'),
  ],
  apiUrl: ['STRIPE_API_URL', webUrl.default(API_URL)],
} as const;

/** What a program needs that only asks the provider. */
export const cardAccess = topic(access, {
  faults: (given) => [...(isLive(given) ? productionFaults(given) : []), ...liveKeyFaults(given)],
  build: (values) => values,
});

export const cardProvider = topic(
  {
    ...access,
    publishableKey: [
      'STRIPE_PUBLISHABLE_KEY',
      z.string().regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of the card provider'),
    ],
    /** An event is accepted with any of them: the provider signs with both for a while after one was rolled. */
    webhookSecrets: [
      'STRIPE_WEBHOOK_SECRET',
      z
        .string()
        .regex(
          /^whsec_\w+(\s*,\s*whsec_\w+)?$/,
          'must be the signing secret of the webhook endpoint, or two, separated by a comma',
        )
        .transform((text) => text.split(',').map((secret) => secret.trim())),
    ],
    scriptUrl: ['STRIPE_SCRIPT_URL', webUrl.default(SCRIPT_URL)],
  },
  {
    faults: (given) => [
      ...(isLive(given) ? productionFaults(given) : []),
      ...liveKeyFaults(given),
      ...mixedKeyFaults(given),
    ],
    build: (cardProvider) => ({ ...cardProvider, isSandbox: cardProvider.apiUrl !== API_URL }),
  },
);
