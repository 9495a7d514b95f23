/**
 * Signed checkpoints: the state of the ledger when it was last verified (docs/ledger.md, "Checkpoints"). A verification begins at the
 * newest one instead of the first row. Somebody with write access to the database can remove a checkpoint, which costs time, but cannot
 * forge one.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import type pg from 'pg';
import type { SigningKeys } from '../platform/keys/signing-keys.ts';
import type { LedgerFault } from './verify-checks.ts';
import type { Stand } from './verify-stand.ts';

export type CheckpointKeys = Pick<
  SigningKeys,
  'current' | 'publicKeys' | 'signText' | 'verifyText'
>;

export interface Checkpoint extends Stand {
  readonly madeAt: Date;
}

/** The text that is signed. Its prefix keeps it apart from tokens and codes, which the same keys sign. */
function textOf(stand: Checkpoint): string {
  const { transferId, batchId, transferCount, batchCount, hash, accountsDigest, totals } = stand;
  const facts = [transferId, batchId, transferCount, batchCount, hash, accountsDigest, totals];
  return ['ledger checkpoint', ...facts, stand.madeAt.toISOString()].join('\n');
}

/** Keeps the checkpoint of the same place, if there is one. */
export async function insertCheckpoint(
  db: QueryExecutorProvider,
  keys: CheckpointKeys,
  checkpoint: Checkpoint,
): Promise<void> {
  const { transferId, batchId, transferCount, batchCount, hash, accountsDigest } = checkpoint;
  await sql`
    insert into ledger_checkpoints (transfer_id, batch_id, transfer_count, batch_count, hash, accounts_digest, totals, made_at,
                                    key_id, signature)
    values (${transferId.toString()}::bigint, ${batchId.toString()}::bigint, ${transferCount.toString()}::bigint,
            ${batchCount.toString()}::bigint, decode(${hash}, 'hex'), decode(${accountsDigest}, 'hex'), ${checkpoint.totals},
            ${checkpoint.madeAt}, ${keys.current.kid}, ${keys.signText(textOf(checkpoint))})
    on conflict do nothing`.execute(db);
}

/** The last transfers of all checkpoints, also of those that count for nothing, since a place has one checkpoint at most. */
export async function selectCheckpointPlaces(
  db: QueryExecutorProvider,
): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: string }>`
    select transfer_id::text as id from ledger_checkpoints`.execute(db);
  return new Set(rows.map(({ id }) => BigInt(id)));
}

/** Deletes the checkpoints made before a time, except the last one of each piece of the journal. */
export async function deleteCheckpoints(db: QueryExecutorProvider, before: Date): Promise<void> {
  await sql`
    delete from ledger_checkpoints old
     where made_at < ${before} and exists (
       select from ledger_checkpoints later where later.transfer_id > old.transfer_id
          and later.transfer_id / 17592186044416 = old.transfer_id / 17592186044416)`.execute(db);
}

interface CheckpointRow {
  readonly transfer_id: string;
  readonly batch_id: string;
  readonly transfer_count: string;
  readonly batch_count: string;
  readonly hash: string;
  readonly accounts_digest: string;
  readonly totals: string;
  readonly made_at: Date;
  readonly key_id: string;
  readonly signature: string;
}

/** If several in a row cannot be used, older ones will hardly be better. */
const LOOKED_AT_MAX = 20;

/**
 * Returns the newest checkpoint that our keys signed, and as `forged` any newer ones that only claim to be signed by them. A checkpoint
 * signed by a key that we no longer have is skipped.
 */
export async function selectStart(
  client: pg.Client,
  {
    keys,
    knownHead,
  }: { readonly keys?: CheckpointKeys | undefined; readonly knownHead?: string | undefined },
): Promise<{ readonly start: Checkpoint | undefined; readonly forged: readonly LedgerFault[] }> {
  const forged: LedgerFault[] = [];
  if (keys === undefined || knownHead !== undefined) return { start: undefined, forged };
  const { rows } = await client.query<CheckpointRow>(
    `select transfer_id::text, batch_id::text, transfer_count::text, batch_count::text, encode(hash, 'hex') as hash,
            encode(accounts_digest, 'hex') as accounts_digest, totals, made_at, key_id, signature
       from ledger_checkpoints c order by c.transfer_id desc limit $1::int`,
    [LOOKED_AT_MAX],
  );
  for (const row of rows) {
    if (!keys.publicKeys.has(row.key_id)) continue;
    const checkpoint = checkpointOf(row);
    if (keys.verifyText(textOf(checkpoint), row.signature)) return { start: checkpoint, forged };
    forged.push({ row: `checkpoint ${row.transfer_id}`, reason: 'is not as it was signed' });
  }
  return { start: undefined, forged };
}

const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  transferId: BigInt(row.transfer_id),
  batchId: BigInt(row.batch_id),
  transferCount: BigInt(row.transfer_count),
  batchCount: BigInt(row.batch_count),
  hash: row.hash,
  accountsDigest: row.accounts_digest,
  totals: row.totals,
  madeAt: row.made_at,
});
