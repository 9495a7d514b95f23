/** The hash of one transfer: five parts, each with its own salt, so that a receipt can show its owner's side and hide the other. */
import { createHash, hash } from 'node:crypto';
import { LEAF_PREFIX, PART_NAMES, type PartName } from '@athos/domain/receipt';
import {
  accountCode,
  assetOfAccount,
  userIdOfAccount,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';

export interface SaltKey {
  /** The number of the key, stored with each seal. Reveals nothing about a random key. */
  readonly number: Buffer;
  /** Derives the salt of a part. */
  readonly saltOf: (part: PartName, id: string) => Buffer;
}

const NUMBER_BYTES = 4;
const SALT_BYTES = 16;
const BLOCK_BYTES = 64;
const [INNER, OUTER] = [0x36, 0x5c];

/**
 * HMAC-SHA-256 by its definition (RFC 2104), each hash in one call: a salt costs a third of `createHmac`, and each transfer needs five. A
 * test compares both.
 */
function createSalts(key: Buffer): SaltKey['saltOf'] {
  const padded = (byte: number): Buffer =>
    Buffer.from(Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (key[index] ?? 0) ^ byte));
  const inner = Buffer.concat([padded(INNER), Buffer.alloc(BLOCK_BYTES)]);
  const outer = Buffer.concat([padded(OUTER), Buffer.alloc(32)]);
  return (part, id) => {
    const length = inner.write(`${part}|${id}`, BLOCK_BYTES, 'latin1');
    outer.set(hash('sha256', inner.subarray(0, BLOCK_BYTES + length), 'buffer'), BLOCK_BYTES);
    return hash('sha256', outer, 'buffer').subarray(0, SALT_BYTES);
  };
}

/** The keys of `RECEIPT_KEY`; the first one is used for new seals. */
export function createSaltKeys(receiptKeys: readonly Buffer[]): readonly [SaltKey, ...SaltKey[]] {
  const [first, ...others] = receiptKeys.map((key) => ({
    number: createHash('sha256')
      .update('receipt key')
      .update(key)
      .digest()
      .subarray(0, NUMBER_BYTES),
    saltOf: createSalts(key),
  }));
  invariant(first !== undefined, 'at least one receipt key is needed');
  return [first, ...others];
}

/** Returns the holder of an account: a user's public address, or the name of an account of the programme. */
export type HolderOf = (accountId: LedgerAccountId) => string;

export const createHolders =
  (uuids: ReadonlyMap<bigint, string>): HolderOf =>
  (accountId) => {
    const userId = userIdOfAccount(accountId);
    // A missing user is named by number, so that a journal can be sealed whatever it contains.
    return userId === undefined
      ? (accountCode(accountId) ?? '')
      : (uuids.get(userId) ?? `user ${userId}`);
  };

/** A row of the journal in its text form, split into columns. */
export interface RowColumns {
  readonly id: string;
  readonly debitAccountId: LedgerAccountId;
  readonly creditAccountId: LedgerAccountId;
  readonly columns: readonly string[];
}

export function columnsOf(text: string): RowColumns {
  const columns = text.split('|');
  const [id = '', debit = '', credit = ''] = columns;
  return {
    id,
    debitAccountId: BigInt(debit) as LedgerAccountId,
    creditAccountId: BigInt(credit) as LedgerAccountId,
    columns,
  };
}

export type PartTexts = Readonly<Record<PartName, string>>;

/** The texts of a transfer's parts. The payer's key belongs to the payer's books, because the receiver must never learn it. */
export function partTexts(row: RowColumns, holderOf: HolderOf): PartTexts {
  const { id, debitAccountId, creditAccountId, columns } = row;
  const [, , , amount, debitAfter, creditAfter, debitPrev, creditPrev, at, key, line, kind] =
    columns;
  return {
    movement: `1|${id}|${assetOfAccount(debitAccountId)}|${amount}|${kind}|${at}`,
    payer: holderOf(debitAccountId),
    payer_books: `${debitAfter}|${debitPrev}|${key}|${line}`,
    payee: holderOf(creditAccountId),
    payee_books: `${creditAfter}|${creditPrev}`,
  };
}

export function hashPart(salt: Buffer, text: string): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(text, 'latin1')]), 'buffer');
}

const PREFIX = Buffer.of(LEAF_PREFIX);

export function leafOf(id: string, texts: PartTexts, { saltOf }: SaltKey): Buffer {
  const hashes = PART_NAMES.map((name) => hashPart(saltOf(name, id), texts[name]));
  return hash('sha256', Buffer.concat([PREFIX, ...hashes]), 'buffer');
}
