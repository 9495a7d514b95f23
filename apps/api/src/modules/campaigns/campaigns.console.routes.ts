import type { FastifyInstance } from 'fastify';
import { consoleApi, type ConsoleAnswerOf } from '@athos/contract/console/calls';
import { campaignAccountId } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { requireVersion } from '../../platform/console/versions.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import { selectTiers } from '../shop/index.ts';
import { selectTierTitle } from './audience.sql.ts';
import {
  countCampaigns,
  selectCampaign,
  selectCampaigns,
  updateCampaign,
  type ShownCampaign,
} from './campaign-list.sql.ts';
import type { CampaignRow } from './campaigns.sql.ts';
import { changeCampaign, createCampaign, requireOpenCampaign, termsOf } from './edit-campaign.ts';
import { fundAction, leftOf, returnRest, type FundDeps } from './fund-campaign.ts';

export type CampaignConsoleDeps = ConsoleDeps &
  PerformDeps &
  FundDeps & { readonly listCursors: ListCursors };

const presentSummary = (row: ShownCampaign) => ({
  id: row.id,
  ...termsOf(row),
  state: row.state,
  claim_count: row.claim_count,
  budget: row.budget_micro_ath.toString(),
  given: (BigInt(row.claim_count) * row.amount_micro_ath).toString(),
  created_at: row.created_at.toISOString(),
});

async function readCampaign(
  db: Db | Tx,
  id: number,
  now: Date,
): Promise<ConsoleAnswerOf<'campaign'>> {
  const row = await selectCampaign(db, id, now);
  if (row === undefined) throw new AppError('not_found');
  const [tierTitle, left] = [await selectTierTitle(db, row), await leftOf(db, id)];
  return {
    ...presentSummary(row),
    version: row.version,
    left: left.toString(),
    returned: row.returned_micro_ath?.toString() ?? null,
    settled_at: row.settled_at?.toISOString() ?? null,
    account_id: campaignAccountId(id).toString(),
    tier_title: tierTitle,
  };
}

type Moving = Pick<ActInput, 'tx' | 'record'> & { readonly params: { readonly id: number } };

/** Starts or pauses a campaign. Throws `campaign_state` unless it is in one of the states `from`. */
async function moveTo(
  { tx, record, params: { id } }: Moving,
  to: 'running' | 'paused',
  from: readonly CampaignRow['state'][],
): Promise<void> {
  const campaign = await requireOpenCampaign(tx, id);
  if (!from.includes(campaign.state)) throw new AppError('campaign_state');
  await updateCampaign(tx, id, { state: to });
  await record({
    subjectId: id.toString(),
    before: { state: campaign.state },
    after: { state: to },
  });
}

function registerReads(app: FastifyInstance, deps: CampaignConsoleDeps): void {
  const { db, clock, listCursors, programme } = deps;

  consoleEndpoint(app, deps, consoleApi.campaigns, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('campaigns', query);
    const filters = { state: query.state, now: dateOf(clock) };
    const beforeId = after === undefined ? undefined : parseInt(after[0] ?? '', 10);
    const [rows, total] = await Promise.all([
      selectCampaigns(db, filters, { limit, beforeId }),
      count ?? countCampaigns(db, filters),
    ]);
    return listCursors.answer('campaigns', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentSummary,
    });
  });

  consoleEndpoint(app, deps, consoleApi.campaign, ({ params }) =>
    readCampaign(db, params.id, dateOf(clock)),
  );

  consoleEndpoint(app, deps, consoleApi.campaignOptions, async () => {
    const tiers = await selectTiers(db);
    const { campaignBudgetMax } = await programme();
    return {
      tiers: tiers.map(({ id, title }) => ({ id, title })),
      budget_max: campaignBudgetMax.toString(),
    };
  });
}

export function registerCampaignConsole(app: FastifyInstance, deps: CampaignConsoleDeps): void {
  const { clock } = deps;
  registerReads(app, deps);

  consoleEndpoint(app, deps, consoleApi.createCampaign, async ({ tx, body, record }) => {
    const created = await createCampaign(deps, tx, body);
    await record({ subjectId: created.id.toString(), after: termsOf(created) });
    return readCampaign(tx, created.id, dateOf(clock));
  });

  consoleEndpoint(app, deps, consoleApi.changeCampaign, async (act) => {
    const { tx, params, body: terms, version, record } = act;
    const campaign = await requireOpenCampaign(tx, params.id);
    requireVersion(version, await readCampaign(tx, params.id, dateOf(clock)));
    await changeCampaign(deps, tx, { campaign, terms });
    await record({ subjectId: params.id.toString(), before: termsOf(campaign), after: terms });
    return readCampaign(tx, params.id, dateOf(clock));
  });

  consoleEndpoint(app, deps, consoleApi.fundCampaign, (act) => {
    const { amount, reason } = act.body;
    return perform(deps, act, fundAction, {
      payload: { campaignId: act.params.id, amount },
      reason,
    });
  });

  consoleEndpoint(app, deps, consoleApi.startCampaign, async (act) => {
    await moveTo(act, 'running', ['funded', 'paused']);
    return readCampaign(act.tx, act.params.id, dateOf(clock));
  });

  consoleEndpoint(app, deps, consoleApi.pauseCampaign, async (act) => {
    await moveTo(act, 'paused', ['running']);
    return readCampaign(act.tx, act.params.id, dateOf(clock));
  });

  consoleEndpoint(app, deps, consoleApi.endCampaign, async ({ tx, params, body, record }) => {
    const campaign = await requireOpenCampaign(tx, params.id);
    const left = await leftOf(tx, params.id);
    await record({
      subjectId: params.id.toString(),
      before: { state: campaign.state, left: left.toString() },
      after: { state: 'settled', returned: left.toString(), reason: body.reason },
      ...(left > 0n && { ledgerKey: campaign.key }),
    });
    await returnRest(deps, tx, { campaign, left });
    return readCampaign(tx, params.id, dateOf(clock));
  });
}
