import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** The secrets of an embedded start, named like the API's settings. */
export interface Keys {
  readonly SIGNING_KEYS: string;
  readonly HASHING_KEY: string;
  readonly DATA_KEYS: string;
  readonly RECEIPT_KEY: string;
  readonly STRIPE_SECRET_KEY: string;
  readonly STRIPE_PUBLISHABLE_KEY: string;
  readonly STRIPE_WEBHOOK_SECRET: string;
}

/**
 * Generated once and kept, so that sessions, sealed values and sandbox payments survive a restart. Data of an earlier version
 * gets the keys that it lacks. Only the current user can read them.
 */
export function ensureKeys(file: string): Keys {
  const kept = existsSync(file) ? readKeys(file) : {};
  const generated = generateKeys();
  const keys = { ...generated, ...kept };
  if (Object.keys(generated).every((name) => name in kept)) return keys;
  writeFileSync(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return keys;
}

/** The card keys contain the word "sandbox", by which a production start recognises and refuses them. */
export function generateKeys(): Keys {
  const hex = () => randomBytes(16).toString('hex');
  return {
    SIGNING_KEYS: randomBytes(32).toString('base64url'),
    HASHING_KEY: randomBytes(32).toString('base64url'),
    DATA_KEYS: randomBytes(32).toString('base64url'),
    RECEIPT_KEY: randomBytes(32).toString('base64url'),
    STRIPE_SECRET_KEY: `sk_test_sandbox_${hex()}`,
    STRIPE_PUBLISHABLE_KEY: `pk_test_sandbox_${hex()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_sandbox_${hex()}`,
  };
}

function readKeys(file: string): Partial<Keys> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Keys>;
  } catch {
    throw new StartError(
      `${file} cannot be read: restore it, or start with empty data by npm start -- --fresh.`,
    );
  }
}
