import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';

type CampaignRow = Selectable<Tables['reward_campaigns']>;
type CodeRow = Selectable<Tables['reward_codes']>;
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

/** Locks the campaign until the transaction ends, so that its claims are decided one at a time. */
export const selectCampaignForUpdate = (tx: Tx, campaignId: number): Promise<CampaignRow> =>
  tx
    .selectFrom('reward_campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** The caller must have locked the campaign. */
export const selectCode = (tx: Tx, codeHash: Buffer): Promise<CodeRow> =>
  tx
    .selectFrom('reward_codes')
    .selectAll()
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

/** Inserts a claim and counts it on its code and its campaign. */
export async function insertClaim(tx: Tx, claim: Insertable<Tables['reward_claims']>) {
  const row = await tx
    .insertInto('reward_claims')
    .values(claim)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('reward_codes')
    .set((code) => ({ claim_count: code('claim_count', '+', 1) }))
    .where('code_hash', '=', claim.code_hash)
    .execute();
  await tx
    .updateTable('reward_campaigns')
    .set((campaign) => ({ claim_count: campaign('claim_count', '+', 1) }))
    .where('id', '=', claim.campaign_id)
    .execute();
  return row;
}

/** Returns the id of the new campaign, or `undefined` if its key was used before. */
export async function insertCampaign(
  tx: Tx,
  campaign: Insertable<Tables['reward_campaigns']>,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('reward_campaigns')
    .values(campaign)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function insertCodes(
  tx: Tx,
  codes: readonly Insertable<Tables['reward_codes']>[],
): Promise<void> {
  await tx
    .insertInto('reward_codes')
    .values([...codes])
    .execute();
}
