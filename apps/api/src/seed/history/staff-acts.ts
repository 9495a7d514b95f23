/** What staff did in the demo's past, through the console's calls. */
import type { ActOf, Scene } from './acts.ts';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { invariant } from '../../platform/errors.ts';
import type { AskConsole } from './console.ts';
import { pastKey, type World } from './world.ts';

/** Something that happens once. `at` is a share of the history: 0 is its beginning, 1 is now. */
export interface Event {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ath = (whole: number): string => `${whole}000000`;

/** Makes the refunds that customers requested. Returns whether there was one. */
export async function playRefunds(
  world: World,
  ask: AskConsole,
  { acts }: Scene,
): Promise<boolean> {
  for (const act of acts) {
    if (act.kind === 'refund_order') await refundOrder(world, ask, act);
    if (act.kind === 'refund_purchase') await refundPurchase(world, ask, act);
  }
  return acts.some(({ kind }) => kind === 'refund_order');
}

async function refundOrder(world: World, ask: AskConsole, { no }: ActOf<'refund_order'>) {
  const id = world.orders.get(no)?.orderId ?? '';
  const reason = 'Bought by mistake, nothing spent yet';
  await ask('finance', 'refundPayment', { params: { id }, body: { is_at_cost: false, reason } });
}

async function refundPurchase(
  world: World,
  ask: AskConsole,
  { no, lines }: ActOf<'refund_purchase'>,
) {
  const id = world.purchases.get(no)?.purchaseId.toString() ?? '';
  const body = {
    lines: lines.map(({ line, itemCount }) => ({ line, item_count: itemCount })),
    is_stock_returned: true,
    reason: 'Could not come that evening',
  };
  await ask('finance', 'refundPurchase', { params: { id }, body });
}

/** The acts of the brand's manager and finance on campaigns, by campaign title. */
function createCampaigner(world: World, ask: AskConsole) {
  const { clock, deps } = world;
  const terms = new Map<string, ConsoleBodyOf<'createCampaign'>>();
  const inDays = (days: number) => new Date(clock.nowMs() + days * DAY_MS).toISOString();
  const paramsOf = (title: string) =>
    deps.db
      .selectFrom('reward_campaigns')
      .select('id')
      .where('title', '=', title)
      .executeTakeFirstOrThrow();
  return {
    create: async (title: string, amount: number, daysLong: number) => {
      const body = {
        title,
        amount: ath(amount),
        starts_at: inDays(0),
        ends_at: inDays(daysLong),
        claim_count_max: null,
        user_claim_count_max: 1,
        audience: { kind: 'all' },
      } as const;
      await ask('brand_manager', 'createCampaign', { body });
      terms.set(title, body);
    },
    change: async (title: string, amount: number) => {
      const given = terms.get(title);
      invariant(given !== undefined, 'the campaign was made here');
      const params = await paramsOf(title);
      const { version } = await ask('brand_manager', 'campaign', { params });
      const body = { ...given, amount: ath(amount) };
      await ask('brand_manager', 'changeCampaign', { params, version, body });
    },
    fund: async (title: string, amount: number, key: string) => {
      const body = { amount: ath(amount), reason: `The budget that was agreed for ${title}` };
      const params = await paramsOf(title);
      await ask('brand_manager', 'fundCampaign', { params, body, key: pastKey(world, key) });
    },
    makeBatch: async (title: string, label: string, count: number) => {
      const body = {
        label,
        code_count: count,
        uses_per_code: 1,
        expires_at: null,
        reason: 'Printed for the counters',
      };
      const key = pastKey(world, `batch ${label}`);
      await ask('brand_manager', 'makeBatch', { params: await paramsOf(title), body, key });
    },
    end: async (title: string, reason: string) => {
      await ask('brand_manager', 'endCampaign', {
        params: await paramsOf(title),
        body: { reason },
      });
    },
    start: async (title: string) =>
      ask('brand_manager', 'startCampaign', { params: await paramsOf(title) }),
    pause: async (title: string) =>
      ask('brand_manager', 'pauseCampaign', { params: await paramsOf(title) }),
    approve: (key: string) =>
      ask('finance', 'approveRequest', { params: { id: pastKey(world, key) } }),
  };
}

/** Campaigns that staff created in the console. */
export function campaignEvents(world: World, ask: AskConsole): readonly Event[] {
  const campaigner = createCampaigner(world, ask);
  const { create, change, fund, approve, makeBatch, start, pause, end } = campaigner;
  const [fair, week, night] = ['Winter fair', 'Members’ week', 'Night of the ferries'] as const;
  return [
    { at: 0.2, run: () => create(fair, 25, 120) },
    { at: 0.202, run: () => fund(fair, 30_000, 'fund fair') },
    { at: 0.215, run: () => approve('fund fair') },
    { at: 0.22, run: () => start(fair) },
    { at: 0.23, run: () => makeBatch(fair, 'Posters', 600) },
    { at: 0.55, run: () => end('Autumn evenings', 'The evenings are over, with thanks') },
    // The vote on this budget was not held in time.
    { at: 0.62, run: () => create(week, 20, 60) },
    { at: 0.622, run: () => fund(week, 12_000, 'fund week') },
    // The campaign is changed while its budget waits for a vote, so the budget is requested again.
    { at: 0.74, run: () => create(night, 18, 40) },
    { at: 0.742, run: () => fund(night, 9_000, 'fund night first') },
    { at: 0.75, run: () => change(night, 15) },
    { at: 0.755, run: () => approve('fund night first') },
    { at: 0.76, run: () => fund(night, 9_000, 'fund night') },
    { at: 0.765, run: () => approve('fund night') },
    // The batch is approved after the campaign has ended, so it cannot be carried out.
    { at: 0.77, run: () => makeBatch(night, 'Tickets', 1_500) },
    { at: 0.775, run: () => end(night, 'The ferries do not run this winter') },
    { at: 0.78, run: () => approve('batch Tickets') },
    { at: 0.96, run: () => pause(fair) },
    // This request still waits for a vote.
    { at: 0.985, run: () => fund(week, 8_000, 'fund week again') },
  ];
}
