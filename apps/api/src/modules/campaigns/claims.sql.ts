/** Statements of claims that share a transaction. They run while customers wait, and all but the first under the campaigns' locks. */
import { sql, type Insertable } from 'kysely';
import type { Tables, Tx } from '../../platform/database/database.ts';
import type { CampaignRow, ClaimRow } from './campaigns.sql.ts';

/** The claims made by requests with these keys, by user. Each user has one key. */
export async function selectClaimsByKeys(
  tx: Tx,
  requests: readonly { readonly userId: bigint; readonly key: string }[],
): Promise<ReadonlyMap<bigint, ClaimRow>> {
  const { rows } = await sql<ClaimRow>`
    select claim.* from reward_claims claim
      join unnest(${requests.map(({ userId }) => userId)}::bigint[], ${requests.map(({ key }) => key)}::uuid[])
           as request (user_id, key) on claim.user_id = request.user_id and claim.key = request.key`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Locks campaigns as `lockCampaign` does, in the order of their ids. */
export async function lockCampaigns(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CampaignRow>> {
  const rows = await tx
    .selectFrom('reward_campaigns')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export type CodeRow = Awaited<ReturnType<typeof selectCodes>>[number];

/** Codes with the data of their batches. */
export const selectCodes = (tx: Tx, codeHashes: readonly Buffer[]) =>
  tx
    .selectFrom('reward_codes as code')
    .leftJoin('reward_batches as batch', 'batch.id', 'code.batch_id')
    .select([
      'code.code_hash as codeHash',
      'code.claim_count as claimCount',
      'code.claim_count_max as claimCountMax',
      'batch.state as batchState',
      'batch.expires_at as expiresAt',
    ])
    .where(sql<boolean>`code_hash = any(${codeHashes}::bytea[])`)
    .execute();

/** The hashes of the codes that each user has claimed of the named campaign. */
export async function selectCodesUsed(
  tx: Tx,
  claims: readonly { readonly userId: bigint; readonly campaignId: number }[],
): Promise<ReadonlyMap<bigint, readonly Buffer[]>> {
  const { rows } = await sql<{ user_id: bigint; code_hash: Buffer }>`
    select claim.user_id, claim.code_hash from reward_claims claim
      join unnest(${claims.map(({ userId }) => userId)}::bigint[], ${claims.map(({ campaignId }) => campaignId)}::integer[])
           as wanted (user_id, campaign_id) on claim.user_id = wanted.user_id and claim.campaign_id = wanted.campaign_id`.execute(
    tx,
  );
  const ofUser = Map.groupBy(rows, ({ user_id: userId }) => userId);
  return new Map([...ofUser].map(([userId, own]) => [userId, own.map((row) => row.code_hash)]));
}

/** Inserts claims and counts them on their codes, batches and campaigns, in one statement, because other claims wait for it. */
export async function insertClaims(
  tx: Tx,
  claims: readonly Insertable<Tables['reward_claims']>[],
): Promise<void> {
  const values = claims.map(
    (
      claim,
    ) => sql`(${claim.id}::uuid, ${claim.user_id}::bigint, ${claim.key}::uuid, ${claim.code_hash}::bytea,
      ${claim.campaign_id}::integer, ${claim.amount_micro_ath}::bigint, ${claim.claimed_at}::timestamptz)`,
  );
  await sql`
    with claim as (
      insert into reward_claims (id, user_id, key, code_hash, campaign_id, amount_micro_ath, claimed_at)
      values ${sql.join(values)}
      returning code_hash, campaign_id
    ), counted_code as (
      update reward_codes code set claim_count = code.claim_count + counted.count
        from (select code_hash, count(*)::integer as count from claim group by code_hash) counted
       where code.code_hash = counted.code_hash
      returning code.batch_id, counted.count
    ), counted_batch as (
      update reward_batches batch set claim_count = batch.claim_count + counted.count
        from (select batch_id, sum(count)::integer as count from counted_code group by batch_id) counted
       where batch.id = counted.batch_id
    )
    update reward_campaigns campaign set claim_count = campaign.claim_count + counted.count
      from (select campaign_id, count(*)::integer as count from claim group by campaign_id) counted
     where campaign.id = counted.campaign_id`.execute(tx);
}
