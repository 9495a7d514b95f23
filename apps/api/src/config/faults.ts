/** What is wrong with settings that are each of the right shape: each function lists faults, each naming its variable. */

export const STRIPE_API_URL = 'https://api.stripe.com';
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';

/** Of an Ed25519 seed. */
export const SEED_BYTES = 32;

type Given = Readonly<Record<string, string>>;

/** Of 32 random bytes some 30 are different, of 32 random letters a dozen. */
const DIFFERENT_BYTES_MIN = 16;
const DIFFERENT_LETTERS_MIN = 8;

/** Keys that somebody typed: whoever guesses them makes tokens for every account. */
function guessableKeyFaults(given: Given): string[] {
  const { SIGNING_KEYS: seedTexts = '', HASHING_KEY: hashingKey } = given;
  const isTyped = seedTexts
    .split(',')
    .map((text) => Buffer.from(text.trim(), 'base64url'))
    // Of another length it is no key at all, which is named elsewhere.
    .filter((seed) => seed.length === SEED_BYTES)
    .map((seed) => new Set(seed))
    .some(({ size }) => size < DIFFERENT_BYTES_MIN);
  return [
    ...(isTyped ? ['SIGNING_KEYS: must be random bytes; these can be guessed'] : []),
    ...(hashingKey !== undefined && new Set(hashingKey).size < DIFFERENT_LETTERS_MIN
      ? ['HASHING_KEY: must be random; this can be guessed']
      : []),
  ];
}

/** What a production start refuses: everything that exists for demonstration, and keys that anybody can know. */
export function productionFaults(given: Given): string[] {
  const { STRIPE_API_URL: apiUrl = STRIPE_API_URL, STRIPE_SCRIPT_URL: scriptUrl } = given;
  const faults: string[] = [];
  if (given['DEMO'] === '1') faults.push('DEMO: demo data is never part of a production start');
  if (given['PUBLIC_URL']?.startsWith('https://') !== true) {
    faults.push('PUBLIC_URL: must be the https address under which people reach the wallet');
  }
  if (apiUrl !== STRIPE_API_URL) {
    faults.push(
      `STRIPE_API_URL: must be ${STRIPE_API_URL}; a sandbox is never part of a production start`,
    );
  }
  if (!(scriptUrl ?? STRIPE_SCRIPT_URL).startsWith('https://js.stripe.com/')) {
    faults.push('STRIPE_SCRIPT_URL: must be an address of the card provider');
  }
  if (/sandbox/.test(cardKeysIn(given))) {
    faults.push('STRIPE_SECRET_KEY: the keys of the sandbox are never part of a production start');
  }
  if (/^smtp:\/\/(127\.|localhost|\[::1\])/.test(given['SMTP_URL'] ?? '')) {
    faults.push('SMTP_URL: the mailbox is never part of a production start');
  }
  if (given['ANALYTICS_URL']?.startsWith('http:')) {
    faults.push('ANALYTICS_URL: must be an https address');
  }
  if (given['RATE_SOURCE'] === 'walk') faults.push('RATE_SOURCE: the walk is for demonstration');
  return [...faults, ...guessableKeyFaults(given)];
}

const cardKeysIn = (given: Given): string =>
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']
    .map((name) => given[name] ?? '')
    .join(' ');

/** Of keys that could move real money, on their way to a sandbox. */
export function liveKeyFaults(given: Given): string[] {
  const isSandbox = (given['STRIPE_API_URL'] ?? STRIPE_API_URL) !== STRIPE_API_URL;
  return isSandbox && /_live_/.test(cardKeysIn(given))
    ? ['STRIPE_SECRET_KEY: a live key must never be sent to a sandbox']
    : [];
}

/** Of use together only. */
const GROUPS = {
  'a bucket': [
    'MEDIA_S3_ENDPOINT',
    'MEDIA_S3_BUCKET',
    'MEDIA_S3_ACCESS_KEY_ID',
    'MEDIA_S3_SECRET_ACCESS_KEY',
  ],
  'page views': ['ANALYTICS_URL', 'ANALYTICS_DOMAIN'],
} as const;

/** What is missing of settings that come together, where some of them are given. */
export const groupFaults = (given: Given): string[] =>
  Object.entries(GROUPS).flatMap(([what, names]) => {
    const missing = names.filter((name) => given[name] === undefined);
    return missing.length === names.length
      ? []
      : missing.map((name) => `${name}: is missing; the settings of ${what} come together`);
  });
