/**
 * Makes the receipt of a movement, for one of its two sides or for others: the shown parts, and the proof that leads to its seal and its
 * day.
 */
import { PART_NAMES, type PartName, type ReceiptPart } from '@athos/domain/receipt';
import { countRowsBefore, userIdOfAccount, type JournalTransfer } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hashPart, leafOf, type SaltKey } from './leaf.ts';
import { CHUNK_LEAVES, pathTo, splitNodes, type Step } from './merkle.ts';
import { presentSeal, readLeafTexts, wholeNumber, type LeafTexts } from './seal-journal.ts';
import { selectDayOfSeal, selectSealHashes, selectSealOf, type DayRow } from './seals.sql.ts';

/** The parts that each view shows. The other parts are included only as hashes. */
const SHOWN = {
  payer: ['movement', 'payer', 'payer_books'],
  payee: ['movement', 'payee', 'payee_books'],
  /** For viewers other than the two sides, who see nobody's books. */
  movement: ['movement'],
  movement_with_names: ['movement', 'payer', 'payee'],
  /** A send that could be undone consists of two movements, each of which has a user on only one side. */
  movement_with_payer: ['movement', 'payer'],
  movement_with_payee: ['movement', 'payee'],
} as const satisfies Record<string, readonly PartName[]>;
export type View = keyof typeof SHOWN;

export const ownView = ({ debitAccountId }: JournalTransfer, userId: bigint): View =>
  userIdOfAccount(debitAccountId) === userId ? 'payer' : 'payee';

const hex = (bytes: Buffer): string => bytes.toString('hex');

/** Raises an alarm: rows or seals were changed after sealing. */
function movementChanged(): AppError {
  const detail = 'No receipt can prove this movement any more. Write to support with its number.';
  return new AppError('movement_changed', { detail });
}

function present(path: readonly Step[] | undefined) {
  if (path === undefined) throw movementChanged();
  return path.map(({ side, hash }) => ({ side, hash: hex(hash) }));
}

const presentSigned = (row: Pick<DayRow, 'previous' | 'hash' | 'signature' | 'public_key'>) => ({
  previous: hex(row.previous),
  hash: hex(row.hash),
  signature: hex(row.signature),
  key: hex(row.public_key),
});

export const presentDay = (row: DayRow) => ({
  day: row.day,
  first_seal: wholeNumber(row.first_seal),
  last_seal: wholeNumber(row.last_seal),
  root: hex(row.root),
  ...presentSigned(row),
});

/** The parts of the view in clear text, and the others as hashes. */
function openParts(
  { id, texts }: LeafTexts,
  { view, saltKey }: { readonly view: View; readonly saltKey: SaltKey },
): ReceiptPart[] {
  const shown: readonly PartName[] = SHOWN[view];
  return PART_NAMES.map((name): ReceiptPart => {
    const salt = saltKey.saltOf(name, id);
    return shown.includes(name)
      ? { name, salt: hex(salt), text: texts[name] }
      : { name, hash: hex(hashPart(salt, texts[name])) };
  });
}

/** The path from the seal to the root of its day. Reads the hashes of 64 seals. */
async function pathToDay(db: Db, n: bigint, day: DayRow): Promise<readonly Step[] | undefined> {
  const index = wholeNumber(n - day.first_seal);
  const first = day.first_seal + BigInt(index - (index % CHUNK_LEAVES));
  const end = first + BigInt(CHUNK_LEAVES) - 1n;
  const chunk = await selectSealHashes(db, first, end < day.last_seal ? end : day.last_seal);
  return pathTo(index, chunk, splitNodes(day.nodes));
}

/**
 * Returns `undefined` before the movement is sealed. Reads 64 transfers, however many its seal covers. Throws `movement_changed` if rows
 * or seals were changed after sealing.
 */
export async function makeReceipt(
  { db, saltKeys }: { readonly db: Db; readonly saltKeys: readonly SaltKey[] },
  transfer: JournalTransfer,
  view: View,
) {
  const seal = await selectSealOf(db, transfer.transferId);
  if (seal === undefined) return undefined;
  const saltKey = saltKeys.find(({ number }) => number.equals(seal.salt_key));
  if (saltKey === undefined) {
    throw new AppError('not_found', { detail: 'The key for receipts of this time was removed.' });
  }
  const index = await countRowsBefore(db, seal.first_id, transfer.transferId);
  const offset = index - (index % CHUNK_LEAVES);
  const range = { firstId: seal.first_id, lastId: seal.last_id, offset, limit: CHUNK_LEAVES };
  // One after the other, so that a receipt takes one connection.
  const chunk = await readLeafTexts(db, range);
  const day = await selectDayOfSeal(db, seal.n);
  const leaves = chunk.map(({ id, texts }) => leafOf(id, texts, saltKey));
  const [own, leaf] = [chunk[index - offset], leaves[index - offset]];
  if (own === undefined || leaf === undefined) throw movementChanged();
  return {
    version: 1 as const,
    parts: openParts(own, { view, saltKey }),
    leaf: hex(leaf),
    path: present(pathTo(index, leaves, splitNodes(seal.nodes))),
    seal: { ...presentSeal(seal), ...presentSigned(seal) },
    day_path: day === undefined ? null : present(await pathToDay(db, seal.n, day)),
    day: day === undefined ? null : presentDay(day),
  };
}
