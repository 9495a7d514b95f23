/** Campaigns as staff see them, and the statements with which staff change them. */
import { sql, type RawBuilder, type Updateable } from 'kysely';
import type { CampaignState } from '@athos/contract/console/campaigns';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import type { CampaignRow } from './campaigns.sql.ts';

/** A campaign ends by its window without an act, and one that has given out its whole budget has nothing left to return. */
const shownState = (now: Date): RawBuilder<CampaignState> => sql`case
  when state in ('draft', 'settled') or ends_at > ${now} then state
  when budget_micro_ath = claim_count * amount_micro_ath then 'settled'
  else 'ended' end`;

export type ShownCampaign = Omit<CampaignRow, 'state'> & { readonly state: CampaignState };

const shown = (db: Db | Tx, now: Date) =>
  db
    .selectFrom('reward_campaigns')
    .selectAll('reward_campaigns')
    .select(shownState(now).as('state'));

export const selectCampaign = (
  db: Db | Tx,
  id: number,
  now: Date,
): Promise<ShownCampaign | undefined> => shown(db, now).where('id', '=', id).executeTakeFirst();

export interface CampaignFilters {
  readonly state: CampaignState | undefined;
  readonly now: Date;
}

const filtered = (db: Db, { state, now }: CampaignFilters) =>
  shown(db, now).$if(state !== undefined, (rows) =>
    rows.where(shownState(now), '=', state ?? 'draft'),
  );

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectCampaigns = (
  db: Db,
  filters: CampaignFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: number | undefined },
): Promise<ShownCampaign[]> =>
  filtered(db, filters)
    .$if(beforeId !== undefined, (rows) => rows.where('id', '<', beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const countCampaigns = (db: Db, filters: CampaignFilters): Promise<ListCount> =>
  countRows(db, filtered(db, filters));

export async function updateCampaign(
  tx: Tx,
  id: number,
  change: Updateable<Tables['reward_campaigns']>,
): Promise<void> {
  await tx.updateTable('reward_campaigns').set(change).where('id', '=', id).execute();
}
