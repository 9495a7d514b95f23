import { z } from 'zod';
import { isProduction, topic, webUrl, type Given } from './topic.ts';

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
  if (/sandbox/.test(keysIn(given))) {
    faults.push('STRIPE_SECRET_KEY: the keys of the sandbox are never part of a production start');
  }
  return faults;
}

/** Live keys, which could move real money, must not be sent to a sandbox in any mode. */
function liveKeyFaults(given: Given): string[] {
  const isSandbox = (given['STRIPE_API_URL'] ?? API_URL) !== API_URL;
  return isSandbox && /_live_/.test(keysIn(given))
    ? ['STRIPE_SECRET_KEY: a live key must never be sent to a sandbox']
    : [];
}

export const cardProvider = topic(
  {
    secretKey: [
      'STRIPE_SECRET_KEY',
      z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of the card provider'),
    ],
    publishableKey: [
      'STRIPE_PUBLISHABLE_KEY',
      z.string().regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of the card provider'),
    ],
    webhookSecret: [
      'STRIPE_WEBHOOK_SECRET',
      z.string().regex(/^whsec_\w+$/, 'must be the signing secret of the webhook endpoint'),
    ],
    apiUrl: ['STRIPE_API_URL', webUrl.default(API_URL)],
    scriptUrl: ['STRIPE_SCRIPT_URL', webUrl.default(SCRIPT_URL)],
  },
  {
    faults: (given) => [
      ...(isProduction(given) ? productionFaults(given) : []),
      ...liveKeyFaults(given),
    ],
    build: (cardProvider) => cardProvider,
  },
);
