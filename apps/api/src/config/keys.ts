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

/** A shorter key could be found by trying all of them. */
const HASHING_KEY_LENGTH_MIN = 32;

const hashingKey = z
  .string()
  .min(HASHING_KEY_LENGTH_MIN, `must have at least ${HASHING_KEY_LENGTH_MIN} characters`);

const hashingKeyList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(hashingKey));

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

/** Whether the key looks typed by a person rather than drawn at random, judged by its letters and by the bytes that they encode. */
function isGuessable(text: string): boolean {
  const letters = Array.from(text, (letter) => letter.charCodeAt(0));
  const bytes = [...Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64url')];
  // In a random key of 16 bytes or more, nearly all bytes are distinct.
  return isTyped(letters, DIFFERENT_LETTERS_MIN) || isTyped(bytes, Math.ceil(bytes.length / 2));
}

const keysIn = (given: Given, variable: string): string[] =>
  (given[variable] ?? '')
    .split(',')
    .map((text) => Buffer.from(text.trim(), 'base64url'))
    .filter(({ length }) => length === KEY_BYTES)
    .map((key) => key.toString('hex'));

/** Each key has one use, so that a leaked sealing key cannot sign tokens. */
function sharedKeyFaults(given: Given): string[] {
  const shared = (variable: string, other: string): string[] => {
    const others = new Set(keysIn(given, other));
    return keysIn(given, variable).some((key) => others.has(key))
      ? [`${variable}: must not contain a key of ${other}`]
      : [];
  };
  return [
    ...shared('DATA_KEYS', 'SIGNING_KEYS'),
    ...shared('QR_SIGNING_KEYS', 'SIGNING_KEYS'),
    ...shared('QR_SIGNING_KEYS', 'DATA_KEYS'),
    ...shared('RECEIPT_KEY', 'SIGNING_KEYS'),
    ...shared('RECEIPT_KEY', 'DATA_KEYS'),
    ...shared('RECEIPT_KEY', 'QR_SIGNING_KEYS'),
  ];
}

/** `HASHING_KEY` held the only key before keys could be rotated, and may contain commas. */
function hashingKeyFaults({ HASHING_KEY: only, HASHING_KEYS: several }: Given): string[] {
  if (only === undefined && several === undefined) return ['HASHING_KEYS: is missing'];
  if (only === undefined || several === undefined) return [];
  return ['HASHING_KEY: is given beside HASHING_KEYS; put its key into HASHING_KEYS and remove it'];
}

/** Reports keys that can be guessed: with one, anybody could sign tokens for every account, or open what is sealed. */
function guessableKeyFaults(given: Given): string[] {
  const { HASHING_KEY: only = '', HASHING_KEYS: several = '' } = given;
  const hashingKeyFault = (variable: string, keys: readonly string[]): string[] =>
    keys.some((key) => key.length >= HASHING_KEY_LENGTH_MIN && isGuessable(key))
      ? [`${variable}: must be random; this can be guessed`]
      : [];
  const hasGuessableKey = (variable: string): boolean =>
    (given[variable] ?? '')
      .split(',')
      .map((text) => text.trim())
      // A key of any other length is reported as malformed elsewhere.
      .filter((text) => Buffer.from(text, 'base64url').length === KEY_BYTES)
      .some(isGuessable);
  return [
    ...['SIGNING_KEYS', 'QR_SIGNING_KEYS', 'DATA_KEYS', 'RECEIPT_KEY']
      .filter(hasGuessableKey)
      .map((variable) => `${variable}: must be random bytes; these can be guessed`),
    ...hashingKeyFault('HASHING_KEY', [only]),
    ...hashingKeyFault(
      'HASHING_KEYS',
      several.split(',').map((key) => key.trim()),
    ),
  ];
}

export const keys = topic(
  {
    /** Ed25519 seeds for tokens. The first one signs, all of them verify. */
    signingSeeds: ['SIGNING_KEYS', keyList],
    /** Ed25519 seeds for QR codes. Without them the seeds for tokens sign codes too. */
    qrSigningSeeds: ['QR_SIGNING_KEYS', keyList.optional()],
    /** Keys of sealed columns. The first one seals, all of them open. */
    dataKeys: ['DATA_KEYS', keyList],
    /** Keys that hide the counterparty in a receipt. New seals use the first one; the receipts of a seal use the seal's own key. */
    receiptKeys: ['RECEIPT_KEY', keyList],
    /** Keys for the hashes of reward codes, network addresses and devices. The first one hashes, all of them find. */
    hashingKeys: ['HASHING_KEYS', hashingKeyList.optional()],
    onlyHashingKey: ['HASHING_KEY', hashingKey.optional()],
  },
  {
    faults: (given) => [
      ...hashingKeyFaults(given),
      ...sharedKeyFaults(given),
      ...(isProduction(given) ? guessableKeyFaults(given) : []),
    ],
    build: ({ hashingKeys, onlyHashingKey, qrSigningSeeds = [], ...keys }) => ({
      ...keys,
      qrSigningSeeds,
      hashingKeys: hashingKeys ?? (onlyHashingKey === undefined ? [] : [onlyHashingKey]),
    }),
  },
);
