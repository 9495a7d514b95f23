import { z } from 'zod';
import { isProduction, topic, type Given } from './topic.ts';

/** The length of an Ed25519 seed and of an AES-256 key. */
const KEY_BYTES = 32;

const keyList = z.string().transform((text, context) => {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64url'));
  if (keys.some(({ length }) => length !== KEY_BYTES)) {
    context.addIssue(
      'must be 32 random bytes as base64url; several, separated by commas, to rotate',
    );
  }
  return keys;
});

/** Whether every symbol equals the one `period` before it, for some period of at most half the length. */
function isRepetition(symbols: readonly number[]): boolean {
  const periods = Array.from({ length: Math.floor(symbols.length / 2) }, (_, index) => index + 1);
  return periods.some((period) =>
    symbols.every((symbol, index) => index < period || symbol === symbols[index - period]),
  );
}

/** Whether the symbols are few, count up or down, or repeat. */
function isTyped(symbols: readonly number[], differentMin: number): boolean {
  const steps = symbols.slice(1).map((symbol, index) => symbol - (symbols[index] ?? 0));
  return (
    new Set(symbols).size < differentMin ||
    new Set(steps).size < differentMin ||
    isRepetition(symbols)
  );
}

/** 32 random hex digits have about 14 distinct values, other alphabets more. */
const DIFFERENT_LETTERS_MIN = 8;

/** Whether a person typed the key rather than drew it, judged by its letters and by the bytes that they write. */
function isGuessable(text: string): boolean {
  const letters = Array.from(text, (letter) => letter.charCodeAt(0));
  const bytes = [...Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64url')];
  // Of 16 random bytes or more, nearly all are distinct.
  return isTyped(letters, DIFFERENT_LETTERS_MIN) || isTyped(bytes, Math.ceil(bytes.length / 2));
}

const keysIn = (given: Given, variable: string): string[] =>
  (given[variable] ?? '')
    .split(',')
    .map((text) => Buffer.from(text.trim(), 'base64url'))
    .filter(({ length }) => length === KEY_BYTES)
    .map((key) => key.toString('hex'));

/** Signing and sealing use different keys, so that a leaked sealing key cannot sign tokens. */
function sharedKeyFaults(given: Given): string[] {
  const signing = new Set(keysIn(given, 'SIGNING_KEYS'));
  return keysIn(given, 'DATA_KEYS').some((key) => signing.has(key))
    ? ['DATA_KEYS: must not contain a key of SIGNING_KEYS']
    : [];
}

/** Reports keys that can be guessed: with one, anybody could sign tokens for every account, or open what is sealed. */
function guessableKeyFaults(given: Given): string[] {
  const { HASHING_KEY: hashingKey } = given;
  const hasGuessableKey = (variable: string): boolean =>
    (given[variable] ?? '')
      .split(',')
      .map((text) => text.trim())
      // A key of any other length is reported as malformed elsewhere.
      .filter((text) => Buffer.from(text, 'base64url').length === KEY_BYTES)
      .some(isGuessable);
  return [
    ...['SIGNING_KEYS', 'DATA_KEYS']
      .filter(hasGuessableKey)
      .map((variable) => `${variable}: must be random bytes; these can be guessed`),
    ...(hashingKey !== undefined && isGuessable(hashingKey)
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
    faults: (given) => [
      ...sharedKeyFaults(given),
      ...(isProduction(given) ? guessableKeyFaults(given) : []),
    ],
    build: (keys) => keys,
  },
);
