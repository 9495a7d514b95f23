/** Codes of mailed links: 256 random bits. Only their SHA-256 hash is stored (D-055); at that length it needs no salt. */
import { createHash, randomBytes } from 'node:crypto';

const CODE_BYTES = 32;

const HOUR_MS = 60 * 60 * 1000;
/** Lifetimes of the codes (D-052, D-053). */
export const VERIFY_CODE_LIFETIME_MS = 24 * HOUR_MS;
export const RESET_CODE_LIFETIME_MS = HOUR_MS;

export const hashLinkCode = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Makes a random code: `code` goes into the mail, `codeHash` into the database. */
export function makeLinkCode(): { code: string; codeHash: Buffer } {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  return { code, codeHash: hashLinkCode(code) };
}
