/**
 * Sealed columns: values that a copy of the database must not reveal, encrypted with AES-256-GCM under the keys of `DATA_KEYS`.
 * A sealed value opens only in its own cell, so one that is copied to another row, column or table is refused. See decision 0016.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The place of a sealed value. The row must be known before the value is sealed. */
export interface Cell {
  readonly table: string;
  readonly column: string;
  readonly rowId: bigint | string;
}

export interface SealedColumns {
  /** Encrypts the text for its cell under the first key. Sealing a text twice gives different bytes. */
  seal(cell: Cell, text: string): Buffer;
  /** Throws `SealedValueError` if the value belongs to another cell, was changed, or its key is not among ours. */
  open(cell: Cell, sealed: Buffer): string;
}

/** The message names the cell and never the value. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
}

const CIPHER = 'aes-256-gcm';
/** A sealed value is key number, nonce, encrypted text and tag. */
const NUMBER_BYTES = 4;
/** Random nonces of this length are safe for 2^32 values per key (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derived from the key, so that a key keeps its number wherever it is in the list. Reveals nothing about a random key. */
const numberOf = (key: Buffer): Buffer =>
  createHash('sha256').update('data key').update(key).digest().subarray(0, NUMBER_BYTES);

const nameOf = ({ table, column, rowId }: Cell): string => `${table}.${column}.${rowId}`;

/** The first of the 32-byte keys seals and all of them open, so that keys can be rotated. */
export function createSealedColumns(dataKeys: readonly Buffer[]): SealedColumns {
  const keys = dataKeys.map((key) => ({ key, number: numberOf(key) }));
  const [current] = keys;
  if (current === undefined) throw new RangeError('at least one data key is needed');

  return {
    seal(cell, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(nameOf(cell)));
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([current.number, nonce, ...encrypted, cipher.getAuthTag()]);
    },

    open(cell, sealed) {
      const number = sealed.subarray(0, NUMBER_BYTES);
      const key = keys.find((candidate) => candidate.number.equals(number))?.key;
      const textFrom = NUMBER_BYTES + NONCE_BYTES;
      const textTo = sealed.length - TAG_BYTES;
      if (key === undefined || textTo < textFrom) {
        throw new SealedValueError(`${nameOf(cell)} was not sealed with any of our keys`);
      }
      const nonce = sealed.subarray(NUMBER_BYTES, textFrom);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(nameOf(cell))).setAuthTag(sealed.subarray(textTo));
      try {
        const decrypted = [decipher.update(sealed.subarray(textFrom, textTo)), decipher.final()];
        return Buffer.concat(decrypted).toString('utf8');
      } catch (cause) {
        throw new SealedValueError(`${nameOf(cell)} was changed, or sealed for another cell`, {
          cause,
        });
      }
    },
  };
}
