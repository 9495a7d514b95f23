/**
 * Seals the journal (decision 0060): a signed Merkle root over whole batches, and a signed head over the seals of each day. It reads
 * posted rows and takes no lock of the ledger, so no transfer waits for it.
 */
import { dayText, sealText, signedText } from '@athos/domain/receipt';
import {
  selectBatchesAfter,
  selectPostedAt,
  selectRowTexts,
  userIdOfAccount,
  type PostedBatch,
} from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import { selectUserUuids } from '../identity/index.ts';
import {
  columnsOf,
  createHolders,
  leafOf,
  partTexts,
  type PartTexts,
  type SaltKey,
} from './leaf.ts';
import { HASH_BYTES, nodesOf, rootOf, sha256 } from './merkle.ts';
import {
  insertDay,
  insertSeal,
  insertSealKey,
  selectDays,
  selectFirstSeal,
  selectLastSeal,
  selectLastSealBefore,
  selectSealHashes,
  tryLockSealing,
  type SealRow,
} from './seals.sql.ts';

/** With this many rows, a proof has 12 steps. */
const ROWS_MAX = 4_096;
/** The number of batches read in one statement. At the lowest traffic a batch has one transfer. */
const BATCHES_MAX = 1_024;
const DAY_MS = 24 * 60 * 60_000;
/** The number of past days that one round ends, in case no worker ran for some days. */
const DAYS_MAX = 100;
/** The hash before the first seal and the first day. */
export const NO_HASH = Buffer.alloc(HASH_BYTES);

export type SealKeys = Pick<SigningKeys, 'current' | 'jwks' | 'signText'>;

export interface SealDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: SealKeys;
  /** The first key is used for new seals. */
  readonly saltKeys: readonly [SaltKey, ...SaltKey[]];
  /** How long transfers wait if there are fewer than a full seal takes. */
  readonly sealAfterMs: number;
}

/** Signs with the current key. The key is stored beside its signature, since it may be replaced later. */
function sign({ keys }: SealDeps, kind: 'seal' | 'day', hash: Buffer) {
  const { kid } = keys.current;
  const key = keys.jwks.find((candidate) => candidate.kid === kid);
  invariant(key !== undefined, 'the current key is one of the keys');
  return {
    signature: Buffer.from(keys.signText(signedText(kind, hash.toString('hex'))), 'base64url'),
    public_key: Buffer.from(key.x, 'base64url'),
  };
}

export interface LeafTexts {
  readonly id: string;
  readonly texts: PartTexts;
}

/** What the leaves of the transfers are made of, from the first to the last, in order. */
export async function readLeafTexts(
  db: Db,
  range: Parameters<typeof selectRowTexts>[1],
): Promise<LeafTexts[]> {
  const rows = (await selectRowTexts(db, range)).map(columnsOf);
  const accountIds = rows.flatMap((row) => [row.debitAccountId, row.creditAccountId]);
  const userIds = new Set(accountIds.flatMap((id) => userIdOfAccount(id) ?? []));
  const holderOf = createHolders(await selectUserUuids(db, [...userIds]));
  return rows.map((row) => ({ id: row.id, texts: partTexts(row, holderOf) }));
}

/** The hashes of all transfers from the first to the last, in order. */
export async function readLeaves(
  db: Db,
  range: Parameters<typeof selectRowTexts>[1],
  saltKey: SaltKey,
): Promise<Buffer[]> {
  return (await readLeafTexts(db, range)).map(({ id, texts }) => leafOf(id, texts, saltKey));
}

/** Takes as many whole batches as fit into a seal. */
function fullSeal(batches: readonly PostedBatch[]): {
  readonly taken: readonly PostedBatch[];
  readonly rowCount: number;
} {
  let rowCount = 0;
  const end = batches.findIndex(({ transferCount }) => (rowCount += transferCount) > ROWS_MAX);
  const taken = end < 0 ? batches : batches.slice(0, end);
  return { taken, rowCount: taken.reduce((sum, batch) => sum + batch.transferCount, 0) };
}

/** The time of a seal. Times never decrease along the seals, and no seal is in a day that has ended. */
function sealTime(
  { clock }: SealDeps,
  last: SealRow | undefined,
  lastDay: string | undefined,
): Date {
  const endOfDay = lastDay === undefined ? 0 : Date.parse(lastDay) + DAY_MS;
  return new Date(Math.max(clock.nowMs(), last?.sealed_at.getTime() ?? 0, endOfDay));
}

async function sealBatches(
  deps: SealDeps,
  tx: Tx,
  last: SealRow | undefined,
  sealedAt: Date,
): Promise<'sealed' | 'nothing'> {
  const batches = await selectBatchesAfter(tx, last?.last_id ?? 0n, BATCHES_MAX);
  const { taken, rowCount } = fullSeal(batches);
  const [first, newest] = [taken[0], taken.at(-1)];
  if (first === undefined || newest === undefined) return 'nothing';
  const isFull = taken.length < batches.length || batches.length === BATCHES_MAX;
  if (!isFull) {
    const postedAt = await selectPostedAt(tx, first.firstId);
    if (postedAt === undefined || deps.clock.nowMs() - postedAt.getTime() < deps.sealAfterMs)
      return 'nothing';
  }
  const [saltKey] = deps.saltKeys;
  const range = { firstId: first.firstId, lastId: newest.lastId };
  const leaves = await readLeaves(tx, range, saltKey);
  const nodes = nodesOf(leaves);
  const seal = {
    n: (last?.n ?? 0n) + 1n,
    first_id: first.firstId,
    last_id: newest.lastId,
    row_count: rowCount,
    root: rootOf(nodes),
    chain_hash: newest.hash,
    sealed_at: sealedAt,
  };
  const previous = last?.hash ?? NO_HASH;
  const hash = sealHash(previous, seal);
  const signed = sign(deps, 'seal', hash);
  await insertSealKey(tx, signed.public_key, sealedAt);
  await insertSeal(tx, {
    ...seal,
    nodes: Buffer.concat(nodes),
    salt_key: saltKey.number,
    previous,
    hash,
    ...signed,
  });
  return 'sealed';
}

/** Converts the number of a seal or a day, which fits into a float. */
export const wholeNumber = (value: bigint): number => parseInt(value.toString(), 10);

/** The seal in the form of its text and its receipts. */
export const presentSeal = (
  seal: Pick<
    SealRow,
    'n' | 'first_id' | 'last_id' | 'row_count' | 'root' | 'chain_hash' | 'sealed_at'
  >,
) => ({
  number: wholeNumber(seal.n),
  first_id: wholeNumber(seal.first_id),
  last_id: wholeNumber(seal.last_id),
  count: seal.row_count,
  root: seal.root.toString('hex'),
  chain_hash: seal.chain_hash.toString('hex'),
  sealed_at: seal.sealed_at.toISOString(),
});

export const sealHash = (previous: Buffer, seal: Parameters<typeof presentSeal>[0]): Buffer =>
  sha256(Buffer.concat([previous, Buffer.from(sealText(presentSeal(seal)), 'latin1')]));

export const dayHash = (
  previous: Buffer,
  day: {
    readonly day: string;
    readonly first_seal: bigint;
    readonly last_seal: bigint;
    readonly root: Buffer;
  },
): Buffer => {
  const text = dayText({
    day: day.day,
    first_seal: wholeNumber(day.first_seal),
    last_seal: wholeNumber(day.last_seal),
    root: day.root.toString('hex'),
  });
  return sha256(Buffer.concat([previous, Buffer.from(text, 'latin1')]));
};

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * Ends the days that have passed, beginning with that of the first seal, including days without a seal. Returns the last day that has
 * ended.
 */
async function endDays(
  deps: SealDeps,
  tx: Tx,
  last: SealRow | undefined,
): Promise<string | undefined> {
  let [ended] = await selectDays(tx, { limit: 1 });
  const firstSeal = ended === undefined ? await selectFirstSeal(tx) : undefined;
  if (last === undefined || (ended === undefined && firstSeal === undefined)) return ended?.day;
  const today = dayOf(dateOf(deps.clock));
  for (let count = 0; count < DAYS_MAX; count += 1) {
    const day: string =
      ended === undefined
        ? dayOf(firstSeal?.sealed_at ?? last.sealed_at)
        : dayOf(new Date(Date.parse(ended.day) + DAY_MS));
    if (day >= today) break;
    ended = await endDay(deps, tx, day, ended);
  }
  return ended?.day;
}

async function endDay(
  deps: SealDeps,
  tx: Tx,
  day: string,
  ended: { readonly last_seal: bigint; readonly hash: Buffer } | undefined,
) {
  const first = (ended?.last_seal ?? 0n) + 1n;
  const last = await selectLastSealBefore(tx, new Date(Date.parse(day) + DAY_MS), first - 1n);
  const nodes = nodesOf(await selectSealHashes(tx, first, last));
  const head = { day, first_seal: first, last_seal: last, root: rootOf(nodes) };
  const previous = ended?.hash ?? NO_HASH;
  const hash = dayHash(previous, head);
  const signed = sign(deps, 'day', hash);
  await insertSealKey(tx, signed.public_key, dateOf(deps.clock));
  const row = { ...head, nodes: Buffer.concat(nodes), previous, hash, ...signed };
  await insertDay(tx, row);
  return row;
}

/**
 * Ends past days and makes the next seal if one is due. If a worker dies, it has made all of it or nothing, and two workers never seal
 * the same transfers: the second finds the lock taken.
 */
export async function sealNext(deps: SealDeps): Promise<'sealed' | 'nothing'> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await tryLockSealing(tx))) return 'nothing';
    const last = await selectLastSeal(tx);
    const lastDay = await endDays(deps, tx, last);
    return sealBatches(deps, tx, last, sealTime(deps, last, lastDay));
  });
}

/** The posting time of the oldest transfer that is not sealed yet; `undefined` if all are sealed. */
export async function selectUnsealedSince(db: Db): Promise<Date | undefined> {
  const last = await selectLastSeal(db);
  const [batch] = await selectBatchesAfter(db, last?.last_id ?? 0n, 1);
  return batch === undefined ? undefined : selectPostedAt(db, batch.firstId);
}
