/** Statements of claims. They run while a customer waits, and all but the first under the lock of the campaign. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';

export type CampaignRow = Selectable<Tables['reward_campaigns']>;
export type ClaimRow = Selectable<Tables['reward_claims']>;

/** The claim made by a request with this key, if any. */
export const selectClaimByKey = (
  db: Db | Tx,
  userId: bigint,
  key: string,
): Promise<ClaimRow | undefined> =>
  db
    .selectFrom('reward_claims')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();

/** The campaign of a code; it never changes. */
export async function selectCampaignIdOfCode(
  db: Db,
  codeHash: Buffer,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('reward_codes')
    .select('campaign_id')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return row?.campaign_id;
}

/**
 * Locks the campaign until the transaction ends, so that its claims are decided one at a time, and none while staff change or end
 * it. `undefined` if there is none.
 */
export const lockCampaign = (tx: Tx, campaignId: number): Promise<CampaignRow | undefined> =>
  tx
    .selectFrom('reward_campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** A code with what its batch says. The caller must have locked the campaign. */
export const selectCode = (tx: Tx, codeHash: Buffer) =>
  tx
    .selectFrom('reward_codes as code')
    .leftJoin('reward_batches as batch', 'batch.id', 'code.batch_id')
    .select([
      'code.claim_count as claimCount',
      'code.claim_count_max as claimCountMax',
      'batch.id as batchId',
      'batch.state as batchState',
      'batch.expires_at as expiresAt',
    ])
    .where('code_hash', '=', codeHash)
    .executeTakeFirstOrThrow();

/** The hashes of the campaign's codes that the user has claimed. */
export async function selectCodesUsed(
  tx: Tx,
  campaignId: number,
  userId: bigint,
): Promise<Buffer[]> {
  const rows = await tx
    .selectFrom('reward_claims')
    .select('code_hash')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ code_hash }) => code_hash);
}

/** Inserts a claim and counts it on its code, batch and campaign, in one statement: other claims wait for this one. */
export const insertClaim = (
  tx: Tx,
  claim: Insertable<Tables['reward_claims']>,
  batchId: string | null,
): Promise<ClaimRow> =>
  tx
    .with('inserted', (query) => query.insertInto('reward_claims').values(claim).returningAll())
    .with('counted_code', (query) =>
      query
        .updateTable('reward_codes')
        .set((code) => ({ claim_count: code('claim_count', '+', 1) }))
        .where('code_hash', '=', claim.code_hash),
    )
    .with('counted_batch', (query) =>
      query
        .updateTable('reward_batches')
        .set((batch) => ({ claim_count: batch('claim_count', '+', 1) }))
        .where('id', '=', batchId),
    )
    .with('counted_campaign', (query) =>
      query
        .updateTable('reward_campaigns')
        .set((campaign) => ({ claim_count: campaign('claim_count', '+', 1) }))
        .where('id', '=', claim.campaign_id),
    )
    .selectFrom('inserted')
    .selectAll()
    .executeTakeFirstOrThrow();

/** Returns the new campaign, or `undefined` if its key was used before. */
export const insertCampaign = (
  tx: Tx,
  campaign: Insertable<Tables['reward_campaigns']>,
): Promise<CampaignRow | undefined> =>
  tx
    .insertInto('reward_campaigns')
    .values(campaign)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returningAll()
    .executeTakeFirst();

export async function insertCodes(
  tx: Tx,
  codes: readonly Insertable<Tables['reward_codes']>[],
): Promise<void> {
  await tx
    .insertInto('reward_codes')
    .values([...codes])
    .execute();
}

/** By id; unknown ids are omitted. */
export async function selectCampaignTitles(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('reward_campaigns')
    .select(['id', 'title'])
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}
