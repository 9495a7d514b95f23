/** Statements on campaigns and their codes. */
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

/** A code as it is stored, with its campaign. Neither ever changes. */
export interface StoredCode {
  readonly codeHash: Buffer;
  readonly campaignId: number;
}

/** Selects codes by hash in hex. Unknown codes are omitted. */
export async function selectStoredCodes(
  db: Db,
  codeHashes: readonly Buffer[],
): Promise<ReadonlyMap<string, StoredCode>> {
  const rows = await db
    .selectFrom('reward_codes')
    .select(['code_hash as codeHash', 'campaign_id as campaignId'])
    .where(sql<boolean>`code_hash = any(${codeHashes}::bytea[])`)
    .execute();
  return new Map(rows.map((row) => [row.codeHash.toString('hex'), row]));
}

/**
 * Locks the campaign until the transaction ends, so that its claims are decided one at a time, and none is decided while staff change or
 * end it. `undefined` if there is none.
 */
export const lockCampaign = (tx: Tx, campaignId: number): Promise<CampaignRow | undefined> =>
  tx
    .selectFrom('reward_campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Returns the new campaign, or `undefined` if its key was already used. */
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

/** The titles of campaigns by id; unknown ids are omitted. */
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
