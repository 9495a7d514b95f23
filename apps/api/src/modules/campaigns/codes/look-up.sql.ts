import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** The code with its batch and its campaign, by the hashes under every key. */
export const selectFoundCode = (tx: Tx, hashes: readonly Buffer[]) =>
  tx
    .selectFrom('reward_codes as code')
    .leftJoin('reward_batches as batch', 'batch.id', 'code.batch_id')
    .select([
      'code.code_hash as codeHash',
      'code.campaign_id as campaignId',
      'code.claim_count as claimCount',
      'code.claim_count_max as claimCountMax',
      'batch.id as batchId',
      'batch.label',
      'batch.state as batchState',
      'batch.expires_at as expiresAt',
    ])
    .where('code.code_hash', 'in', hashes)
    .executeTakeFirst();

/** The newest claims of the code. */
export const selectClaimsOf = (tx: Tx, codeHash: Buffer, limit: number) =>
  tx
    .selectFrom('reward_claims as claim')
    .innerJoin('users', 'users.id', 'claim.user_id')
    .select([
      'users.uuid as customerUuid',
      'claim.claimed_at as claimedAt',
      sql<bigint>`claim.amount_micro_ath`.as('amount'),
    ])
    .where('claim.code_hash', '=', codeHash)
    .orderBy('claim.id', 'desc')
    .limit(limit)
    .execute();
