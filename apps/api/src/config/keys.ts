import { z } from 'zod';
import { isProduction, topic, type Given } from './topic.ts';

/** The length of an Ed25519 seed. */
const SEED_BYTES = 32;

const seeds = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const seed = Buffer.from(part.trim(), 'base64url');
    if (seed.length !== SEED_BYTES) {
      context.addIssue(
        'must be 32 random bytes as base64url; several, separated by commas, to rotate',
      );
    }
    return seed;
  }),
);

/** 32 random bytes have about 30 distinct values, 32 random hex digits about 14. */
const DIFFERENT_BYTES_MIN = 16;
const DIFFERENT_LETTERS_MIN = 8;

/** Reports keys that a person typed: whoever guesses one can sign tokens for every account. */
function guessableKeyFaults(given: Given): string[] {
  const { SIGNING_KEYS: seedTexts = '', HASHING_KEY: hashingKey } = given;
  const isTyped = seedTexts
    .split(',')
    .map((text) => Buffer.from(text.trim(), 'base64url'))
    // A seed of any other length is reported as malformed elsewhere.
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

export const keys = topic(
  {
    /** Ed25519 seeds for tokens and QR codes. The first one signs, all of them verify. */
    signingSeeds: ['SIGNING_KEYS', seeds],
    /** The key for the hashes of network addresses and devices. */
    hashingKey: ['HASHING_KEY', z.string().min(32, 'must have at least 32 characters')],
  },
  {
    faults: (given) => (isProduction(given) ? guessableKeyFaults(given) : []),
    build: (keys) => keys,
  },
);
