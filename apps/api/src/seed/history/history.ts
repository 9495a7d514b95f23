/**
 * Creates the demo's past: 90 days of a plausible programme that end now. The acts of customers and staff go through the services that
 * they would call, at times that the seed sets. Runs on an empty ledger, before any other program: the times of the journal never
 * decrease.
 */
import { parseAth, parseRate, usdCents } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';
import { buildConsoleApp } from '../../app.ts';
import { createTasks } from '../../capabilities.ts';
import type { Config } from '../../config/config.ts';
import { createDeps } from '../../deps.ts';
import { replaceLedgerClock, restoreLedgerClock } from '../../ledger/index.ts';
import { createClaimReward, openCampaign } from '../../modules/campaigns/index.ts';
import { publishRate } from '../../modules/rate/index.ts';
import { createReadFacts } from '../../modules/tickets/index.ts';
import {
  createHoldSend,
  createRecipients,
  createSendCount,
} from '../../modules/transfers/index.ts';
import { invariant } from '../../platform/errors.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Scene } from './acts.ts';
import { pastCampaigns, type PastCampaign } from './campaigns.ts';
import { createConsole } from './console.ts';
import { bindCrews } from './crews.ts';
import { PastBank } from './past-bank.ts';
import { houseEvents } from './house.ts';
import { gateEvents } from './offline-gates.ts';
import { merchantEvents, openMerchants } from './merchants.ts';
import { openPlannedDatabase } from './planned-database.ts';
import { createPastProvider } from './past-provider.ts';
import { makePlan, timeOfShare, type PlanOptions } from './plan.ts';
import { campaignEvents, playRefunds, type Event } from './staff-acts.ts';
import { castEvents, supportEvents } from './story-events.ts';
import { CROWD_PASSWORD, playScene } from './wallet-acts.ts';
import {
  PastClock,
  PastMailer,
  pastKey,
  runJobs,
  runTask,
  selectLastJob,
  type World,
} from './world.ts';

export interface HistoryOptions {
  readonly words: string;
  readonly endMs: number;
  readonly dayCount: number;
}

export const HISTORY_DAYS = 90;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * An interrupted past is not used, so its commits need not wait for the disk. Sequential scans are off, because statements planned while
 * the tables were empty would otherwise read whole tables for as long as the connections live.
 */
const SERVER_OPTIONS = [
  '-c synchronous_commit=off',
  '-c enable_seqscan=off',
  '-c jit=off',
  '-c plan_cache_mode=force_generic_plan',
].join(' ');
const TIME_LIMITS = ['statement_timeout', 'lock_timeout', 'query_timeout'];
const PATIENCE_MS = '30000';

function pastConfig(config: Config): Config {
  const url = new URL(config.databaseUrl);
  url.searchParams.set('options', SERVER_OPTIONS);
  // No user waits for an answer, so a slow machine only takes longer.
  for (const limit of TIME_LIMITS) url.searchParams.set(limit, PATIENCE_MS);
  // The rate is not confirmed between two moments of the past.
  return { ...config, databaseUrl: url.href, rateMaxAgeMs: DAY_MS };
}

async function createWorld(
  config: Config,
  log: Log,
  { words, endMs, dayCount }: HistoryOptions,
): Promise<World> {
  const clock = new PastClock(endMs - (dayCount + 1) * DAY_MS);
  const mailer = new PastMailer();
  const bank = new PastBank(clock, words);
  const created = createDeps(pastConfig(config), log, {
    clock,
    mailer,
    cardProvider: createPastProvider(bank),
  });
  let crowdHash: Promise<string> | undefined;
  const passwords = {
    ...created.passwords,
    // The whole crowd shares one hash: hundreds of hashes would take longer than everything else.
    hash: (): Promise<string> => (crowdHash ??= created.passwords.hash(CROWD_PASSWORD)),
  };
  const planned = openPlannedDatabase(created.config.databaseUrl, log);
  const deps = {
    ...created,
    passwords,
    db: planned.db,
    async close() {
      await planned.close();
      await created.close();
    },
  };
  const { money, mail, upkeep, verification } = createTasks(deps);
  return {
    words,
    deps,
    clock,
    mailer,
    bank,
    sending: {
      db: deps.db,
      ledger: deps.ledger,
      holdSend: createHoldSend(deps),
      programme: deps.programme,
      findRecipient: createRecipients(deps.db),
      sendCount: createSendCount(deps),
      clock,
      qrKeys: deps.qrKeys,
    },
    scanning: { ...deps, readFacts: createReadFacts(deps.db) },
    claimReward: createClaimReward(deps),
    tasks: { ...money, ...mail, ...upkeep, ...verification },
    users: new Map(),
    orders: new Map(),
    lastOrders: new Map(),
    purchases: new Map(),
    crews: [],
    venueIds: [],
    lastJobBefore: await selectLastJob(deps.db),
  };
}

/** Opens a campaign whose codes the crowd knows. Codes that staff create in the console are not known to the crowd. */
async function openPastCampaign(world: World, campaign: PastCampaign): Promise<void> {
  const { title, amountAth, budgetAth, fromMs, toMs, codes } = campaign;
  const [amount, budget] = [parseAth(String(amountAth)), parseAth(String(budgetAth))];
  invariant(amount !== undefined && budget !== undefined, 'amounts of campaigns are amounts');
  await openCampaign(world.deps, {
    key: pastKey(world, `campaign ${title}`),
    title,
    amount,
    budget,
    startsAt: new Date(fromMs),
    endsAt: new Date(toMs),
    codes: codes.map(({ text }) => {
      const code = readRewardCode(text);
      invariant(code !== undefined, `"${text}" is a code`);
      return { code, claimCountMax: CLAIMS_OF_CODE_MAX };
    }),
  });
}

const CLAIMS_OF_CODE_MAX = 1_000;

async function publish({ deps }: World, rateText: string): Promise<void> {
  const usdPerAth = parseRate(rateText);
  invariant(usdPerAth !== undefined, 'a planned rate is a rate');
  const config = { ...deps.config, rateSource: { kind: 'fixed', usdPerAth } as const };
  const refused = await publishRate({ ...deps, config });
  invariant(refused === undefined, 'no guard rail minds the planned rates');
}

/** Does the nightly work of the provider and the worker between two moments: payouts at midnight (UTC), and the night's jobs. */
async function playNights(world: World, fromMs: number, toMs: number): Promise<void> {
  const { clock, deps, bank } = world;
  for (let dayMs = fromMs - (fromMs % DAY_MS) + DAY_MS; dayMs <= toMs; dayMs += DAY_MS) {
    bank.payOut(dayMs);
    if (dayMs + NIGHT_JOBS_MS > toMs) continue;
    await clock.moveTo(deps.db, dayMs + NIGHT_JOBS_MS);
    for (const name of NIGHT_JOBS) await runTask(world, name);
    await runJobs(world);
  }
}

const NIGHT_JOBS_MS = 5.5 * HOUR_MS;
const NIGHT_JOBS = [
  'approvals_end_expired',
  'card_reconcile_day',
  'reports_dormant',
  'bookkeeping_balance',
  'ledger_seal',
];

/** The events of staff and of people with a story, as a queue by time. */
function createEvents(world: World, options: PlanOptions, events: readonly Event[]) {
  const due = events
    .filter(({ at }) => at < 1)
    .map(({ at, run }) => ({ atMs: timeOfShare(at, options), run }))
    .toSorted((one, other) => one.atMs - other.atMs);
  return async (atMs: number): Promise<void> => {
    while (due[0] !== undefined && due[0].atMs <= atMs) await due.shift()?.run();
  };
}

/** Payments without an order of ours: two transactions stay unmatched. */
const UNKNOWN_PAYMENTS = [
  { at: 0.88, cents: 4_200n },
  { at: 0.94, cents: 1_850n },
] as const;

/** Creates the past on an empty ledger. */
export async function writeHistory(
  config: Config,
  log: Log,
  options: HistoryOptions,
): Promise<PastBank> {
  const plan = makePlan({ ...options, timeZone: config.console.timeZone });
  const planOptions = { ...options, timeZone: config.console.timeZone };
  const world = await createWorld(config, log, options);
  const { deps, clock, bank } = world;
  const app = await buildConsoleApp(deps);
  const ask = createConsole(world, app);
  try {
    await replaceLedgerClock(deps.db);
    const [first] = plan.scenes;
    if (first === undefined) return bank;
    await clock.moveTo(deps.db, first.at - HOUR_MS);
    await publish(world, first.rateText);
    const staffed = await bindCrews(world, ask);
    await openMerchants(ask);
    const campaigns = pastCampaigns(options);
    const playEvents = createEvents(staffed, planOptions, [
      ...campaigns.map((campaign) => ({
        at: 1 - (options.endMs - campaign.fromMs) / (options.dayCount * DAY_MS),
        run: () => openPastCampaign(world, campaign),
      })),
      ...campaignEvents(staffed, ask),
      ...castEvents(staffed, ask, plan.cast),
      ...merchantEvents(staffed, ask),
      ...houseEvents(staffed, ask),
      ...gateEvents(staffed, ask),
      ...supportEvents(staffed, ask, plan.cast),
      ...UNKNOWN_PAYMENTS.map(({ at, cents }) => ({
        at,
        run: async () => {
          bank.payUnknown(usdCents(cents));
          await runTask(staffed, 'card_transactions_list');
        },
      })),
    ]);
    await play(staffed, plan.scenes, async (scene) => {
      await playEvents(scene.at);
      await playScene(staffed, scene, (index) => plan.people[index] ?? NOBODY);
      if (await playRefunds(staffed, ask, scene)) {
        await runJobs(staffed);
        await runTask(staffed, 'card_transactions_list');
      }
    });
    await clock.moveTo(deps.db, options.endMs);
    // Acts of staff after the last moment, such as during the night.
    await playEvents(options.endMs);
    await runJobs(world);
    for (const name of ['card_transactions_list', 'reports_ledger', 'reports_roll']) {
      await runTask(world, name);
    }
  } finally {
    await restoreLedgerClock(deps.db);
    await app.close();
    await deps.close();
  }
  return bank;
}

const NOBODY = { index: -1, name: '', email: '' };

async function play(
  world: World,
  scenes: readonly Scene[],
  playOne: (scene: Scene) => Promise<void>,
): Promise<void> {
  let beforeMs = world.clock.nowMs();
  let published = '';
  for (const scene of scenes) {
    await playNights(world, beforeMs, scene.at);
    await world.clock.moveTo(world.deps.db, scene.at);
    if (scene.rateText !== published) await publish(world, scene.rateText);
    published = scene.rateText;
    await playOne(scene);
    await runJobs(world);
    beforeMs = scene.at;
  }
}
