/** Reward campaigns and their codes, without claims: the movements of claims are measured with the rest of the journal. */
import type pg from 'pg';
import type { ConsoleScale } from '../scale.ts';
import { withoutIndexes } from './load.sql.ts';

const CAMPAIGNS = 5_000;
const CODES_OF_BATCH = 50_000;

/** Half of their windows are over. */
const CAMPAIGNS_SQL = `
  insert into reward_campaigns (key, title, amount_micro_ath, starts_at, ends_at, created_at, state)
  select gen_random_uuid(), 'Campaign ' || n, 5000000, at, at + interval '30 days', at,
         (array['draft', 'funded', 'running', 'paused'])[1 + n % 4]
    from generate_series(1, ${CAMPAIGNS}) n, lateral (select now() - interval '60 days' * (1 - n::float8 / ${CAMPAIGNS}) as at) made`;

const batchesSql = ({ customers }: ConsoleScale): string => `
  insert into reward_batches (id, campaign_id, label, code_count, claim_count_max, state, codes_done, created_at, made_at)
  select gen_random_uuid(), id, 'Batch', ${CODES_OF_BATCH}, 1, 'ready', ${CODES_OF_BATCH}, created_at, created_at
    from reward_campaigns order by id limit ${Math.ceil(customers / CODES_OF_BATCH)}`;

const CODES_SQL = `
  insert into reward_codes (code_hash, campaign_id, claim_count_max, batch_id)
  select sha256(id::text::bytea || n::text::bytea), campaign_id, 1, id
    from reward_batches, generate_series(1, ${CODES_OF_BATCH}) n`;

export async function fillCampaigns(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await client.query(CAMPAIGNS_SQL);
  await client.query(batchesSql(scale));
  await withoutIndexes(client, 'reward_codes', CODES_SQL);
}
