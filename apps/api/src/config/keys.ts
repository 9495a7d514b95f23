import { z } from 'zod';
import { isProduction, topic, type Given } from './topic.ts';

/** The length of an Ed25519 seed and of an AES-256 key. */
const KEY_BYTES = 32;

const keyBytes = (text: string): Buffer[] =>
  text.split(',').map((part) => Buffer.from(part.trim(), 'base64url'));

const keyList = z.string().transform((text, context) => {
  const keys = keyBytes(text);
  if (keys.some(({ length }) => length !== KEY_BYTES)) {
    context.addIssue(
      'must be 32 random bytes as base64url; several, separated by commas, to rotate',
    );
  }
  return keys;
});

/** 32 random bytes have about 30 distinct values, 32 random hex digits about 14. */
const DIFFERENT_BYTES_MIN = 16;
const DIFFERENT_LETTERS_MIN = 8;

/** Whether a person typed the key: all bytes equal, a few repeated, or a sequence such as 00 01 02. */
function isTyped(key: Buffer): boolean {
  const steps = key.subarray(1).map((byte, index) => byte - (key[index] ?? 0));
  return [key, steps].some((bytes) => new Set(bytes).size < DIFFERENT_BYTES_MIN);
}

/** Reports keys that can be guessed: with one, anybody could sign tokens for every account, or open what is sealed. */
function guessableKeyFaults(given: Given): string[] {
  const { HASHING_KEY: hashingKey } = given;
  // A key of any other length is reported as malformed elsewhere.
  const isGuessable = (variable: string): boolean =>
    keyBytes(given[variable] ?? '').some((key) => key.length === KEY_BYTES && isTyped(key));
  return [
    ...['SIGNING_KEYS', 'DATA_KEYS']
      .filter(isGuessable)
      .map((variable) => `${variable}: must be random bytes; these can be guessed`),
    ...(hashingKey !== undefined && new Set(hashingKey).size < DIFFERENT_LETTERS_MIN
      ? ['HASHING_KEY: must be random; this can be guessed']
      : []),
  ];
}

export const keys = topic(
  {
    /** Ed25519 seeds for tokens and QR codes. The first one signs, all of them verify. */
    signingSeeds: ['SIGNING_KEYS', keyList],
    /** Keys of sealed columns. The first one seals, all of them open. */
    dataKeys: ['DATA_KEYS', keyList],
    /** The key for the hashes of network addresses and devices. */
    hashingKey: ['HASHING_KEY', z.string().min(32, 'must have at least 32 characters')],
  },
  {
    faults: (given) => (isProduction(given) ? guessableKeyFaults(given) : []),
    build: (keys) => keys,
  },
);
