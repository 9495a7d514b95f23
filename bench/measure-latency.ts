/**
 * Measures the savings of early commits (decision 0041) while each commit takes as long as a standby's response, which `commit_delay`
 * simulates, and the cost of their barriers without a standby. Each is compared with the same build with waiting commits.
 */
import { join } from 'node:path';
import { busyShare } from './cluster/pace.ts';
import { measureBarrierCost } from './latency/barrier-cost.ts';
import { openCampaignForLoad } from './campaign.ts';
import type { LoadPlan, LoadRequest, LoadUser } from './load-plan.ts';
import { loadUser } from './population.ts';
import {
  configFor,
  freePort,
  runLoad,
  SIGNING_SEED,
  startApi,
  type RunningApi,
} from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Samples } from './samples.ts';
import { CONNECTIONS, type BenchScale } from './scale.ts';
import { fillShop, type Shop } from './shop.sql.ts';
import type { Workbench } from './workbench.ts';

/** The longest response time of a nearby standby. */
const LATENCY_MS = 4;
const CLAIMS_PER_SECOND = 400;
const PROCESSES_MAX = 4;
const PROCESS_COUNTS = [1, 2, PROCESSES_MAX];
/** Load per process, as a share of the maximum rate of one process. */
const OFFERED_SHARE = 0.03;
/**
 * The share of the processors that the load of all processes may keep busy; a slow machine gets less load. At few requests a second each send is
 * a batch of its own, which costs several times as much as one of many, and on busy processors p99 tells of them and not of the commits.
 */
const BUSY_SHARE_MAX = 0.5;
/** As many sends as a process needs until its code and that of its load are compiled. */
const SENDS_WARM_UP_MS = 2_000;

const USERS = 2_000;
const SENDERS = 1_000;
const STAFF = 20;
const ITEMS_PER_CODE = 3;
/** More than a run claims and redeems. */
const CODES = 200;
const PURCHASES = 45_000;

const BUILDS = ['early', 'waiting'] as const;
type Build = (typeof BUILDS)[number];

const WAITING_COMMITS = join(import.meta.dirname, 'latency/waiting-commits.ts');

interface LatencyBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

interface Prepared extends LatencyBench {
  readonly senders: readonly LoadUser[];
  readonly shop: Shop;
  readonly codes: readonly string[];
}

export async function measureLatency(given: LatencyBench): Promise<MeasuredRatio[]> {
  const prepared = await prepare(given);
  await measureRates(prepared);
  await measureSends(prepared);
  await measureBarrierCost(given, sends(prepared));
  return latencyRatios(given);
}

async function prepare(given: LatencyBench): Promise<Prepared> {
  const { bench } = given;
  say('users, purchases and a campaign');
  const users = await bench.createPopulated('latency', { count: USERS, senderCount: SENDERS });
  const url = bench.databaseUrl('latency');
  const withSession = users.slice(0, SENDERS);
  const shop = await fillShop(url, {
    categoryCount: 2,
    offersPerCategory: 10,
    staffUserIds: withSession.slice(-STAFF).map(({ userId }) => userId),
    holderUserIds: withSession.map(({ userId }) => userId),
    purchaseCount: PURCHASES,
    redeemedPurchaseCount: 1_000,
    itemsPerPurchase: ITEMS_PER_CODE,
  });
  const codes = await openCampaignForLoad(configFor(url), {
    codeCount: CODES,
    claimCountMax: SENDERS,
  });
  return { ...given, shop, codes, senders: withSession.map(loadUser) };
}

/** Starts processes of one build on a copy of the database whose commits take `latencyMs`. */
async function startBuild(
  { bench }: LatencyBench,
  build: Build,
  { count, latencyMs }: { readonly count: number; readonly latencyMs: number },
): Promise<RunningApi[]> {
  const database = `latency-${build}-${latencyMs}`;
  await bench.drop(database);
  await bench.copy('latency', database);
  await bench.delayCommits(database, latencyMs);
  const preloads = build === 'waiting' ? [WAITING_COMMITS] : [];
  const apis: RunningApi[] = [];
  for (let index = 0; index < count; index++) {
    const port = await freePort();
    apis.push(await startApi('product', bench.databaseUrl(database), { port, preloads }));
  }
  return apis;
}

async function withBuilds(
  given: LatencyBench,
  latencyMs: number,
  work: (apis: Readonly<Record<Build, RunningApi>>) => Promise<void>,
): Promise<void> {
  const [early] = await startBuild(given, 'early', { count: 1, latencyMs });
  const [waiting] = await startBuild(given, 'waiting', { count: 1, latencyMs });
  if (early === undefined || waiting === undefined) throw new Error('an API did not start');
  try {
    await work({ early, waiting });
  } finally {
    await Promise.all([early.stop(), waiting.stop()]);
  }
}

/** Rates of claims and redemptions, alternating between the builds, and a burst of claims. */
async function measureRates(prepared: Prepared): Promise<void> {
  const { samples, scale } = prepared;
  const used = { early: { claims: 0, visits: 0 }, waiting: { claims: 0, visits: 0 } };
  await withBuilds(prepared, LATENCY_MS, async (apis) => {
    const turn = async (
      kind: 'claims' | 'redemptions',
      build: Build,
      plan: Pick<LoadPlan, 'warmUpMs' | 'measureMs' | 'perSecond'>,
    ) => {
      const own = used[build];
      const request =
        kind === 'claims' ? claimsFrom(prepared, own.claims) : visitsFrom(prepared, own.visits);
      const result = await runLoad({
        url: apis[build].url,
        connectionCount: CONNECTIONS,
        request,
        ...plan,
      });
      own[kind === 'claims' ? 'claims' : 'visits'] += result.answeredCount;
      return result;
    };
    for (const kind of ['claims', 'redemptions'] as const) {
      say(`${kind} at ${LATENCY_MS} ms`);
      for (const build of BUILDS) {
        await turn(kind, build, { warmUpMs: 0, measureMs: scale.warmUpMs / 2 });
      }
      for (let round = 1; round <= scale.rounds; round++) {
        for (const build of shuffled(BUILDS)) {
          const plan = { warmUpMs: 500, measureMs: scale.measureMs / 2 };
          const { perSecond } = await turn(kind, build, plan);
          samples.note(`${build} ${kind} per s`, perSecond);
        }
      }
    }
    say(`${CLAIMS_PER_SECOND} claims/s`);
    const storm = { warmUpMs: 500, measureMs: scale.measureMs, perSecond: CLAIMS_PER_SECOND };
    const { perSecond, p99Ms } = await turn('claims', 'early', storm);
    samples.note('claims of a storm, share done', perSecond / CLAIMS_PER_SECOND);
    samples.note('claims of a storm p99 ms', p99Ms);
  });
}

const claimsFrom = ({ senders, codes }: Prepared, usedCount: number): LoadRequest => ({
  kind: 'claim',
  claimants: senders,
  codes,
  usedCount,
});

const visitsFrom = ({ senders, shop }: Prepared, usedCount: number): LoadRequest => ({
  kind: 'redeem',
  staff: senders.slice(-STAFF),
  visits: shop.visits.slice(usedCount),
  signingSeed: SIGNING_SEED,
});

const sends = ({ senders }: Prepared): LoadRequest => ({
  kind: 'transfer',
  senders,
  recipientUuids: senders.map(({ uuid }) => uuid),
});

/** The series that `measureSends` compares: both builds with a delay, and early commits without any. */
const SEND_SERIES: readonly {
  readonly build: Build;
  readonly latencyMs: number;
  readonly counts: readonly number[];
}[] = [
  ...BUILDS.map((build) => ({ build, latencyMs: LATENCY_MS, counts: PROCESS_COUNTS })),
  { build: 'early', latencyMs: 0, counts: [1] },
];

/**
 * The latency of sends through 1, 2 and 4 processes, each at the same rate. All series are up at the same time and take turns, because the
 * speed of a machine and its disk varies over minutes.
 */
async function measureSends(prepared: Prepared): Promise<void> {
  const { samples, scale } = prepared;
  const started: RunningApi[] = [];
  try {
    const turns: { readonly series: string; readonly addresses: Addresses }[] = [];
    for (const { build, latencyMs, counts } of SEND_SERIES) {
      const apis = await startBuild(prepared, build, { count: Math.max(...counts), latencyMs });
      started.push(...apis);
      for (const count of counts) {
        turns.push({
          series: `${build} sends at ${latencyMs} ms of ${count}`,
          addresses: addressesOf(apis.slice(0, count)),
        });
      }
    }
    const perSecond = await paceOfSends(prepared, started);
    for (let round = 1; round <= scale.rounds; round++) {
      say(`sends, round ${round} of ${scale.rounds}`);
      await prepared.bench.checkpoint();
      for (const { series, addresses } of shuffled(turns)) {
        const { p50Ms, p99Ms } = await loadSends(prepared, { ...addresses, perSecond });
        samples.note(`${series}, p50 ms`, p50Ms);
        samples.note(`${series}, p99 ms`, p99Ms);
      }
    }
  } finally {
    await Promise.all(started.map((api) => api.stop()));
  }
}

type Addresses = Pick<LoadPlan, 'url' | 'besideUrls'>;

function addressesOf(apis: readonly RunningApi[]): Addresses {
  const [url = '', ...besideUrls] = apis.map((api) => api.url);
  return { url, besideUrls };
}

const loadSends = (prepared: Prepared, plan: Pick<LoadPlan, 'url'> & Partial<LoadPlan>) =>
  runLoad({
    connectionCount: CONNECTIONS,
    request: sends(prepared),
    warmUpMs: SENDS_WARM_UP_MS,
    // In less time, the 1 % that decides is one moment of the machine.
    measureMs: prepared.scale.measureMs,
    ...plan,
  });

/** The sends a second that each process gets. Runs every process at full rate first, so that none is measured while it compiles. */
async function paceOfSends(prepared: Prepared, apis: readonly RunningApi[]): Promise<number> {
  const { samples, scale } = prepared;
  say('sends at full rate');
  const fullRates: number[] = [];
  for (const { url } of apis) {
    const { perSecond } = await loadSends(prepared, { url, measureMs: scale.warmUpMs / 2 });
    fullRates.push(perSecond);
  }
  const most = OFFERED_SHARE * Math.max(...fullRates);
  const [busy] = await Promise.all([
    busyShare(SENDS_WARM_UP_MS + scale.measureMs),
    loadSends(prepared, { ...addressesOf(apis.slice(0, PROCESSES_MAX)), perSecond: most }),
  ]);
  samples.note(`processors busy at ${Math.round(most)} sends per s and process`, busy);
  const pace = Math.round(most * Math.min(1, BUSY_SHARE_MAX / busy));
  samples.note('offered sends per s and process', pace);
  return pace;
}

const latencyRatios = ({ samples }: LatencyBench): MeasuredRatio[] => [
  {
    name: '[P-012] claims /s with early commits together ÷ alone and waiting, at 4 ms',
    must: 3,
    aim: 3,
    sense: 'atLeast',
    rounds: samples.ratios('early claims per s', 'waiting claims per s'),
  },
  {
    name: `${CLAIMS_PER_SECOND} claims /s at 4 ms, share done in time`,
    must: 0.97,
    aim: 1,
    sense: 'atLeast',
    rounds: samples.of('claims of a storm, share done'),
  },
  {
    name: '[P-013] scan + redeem /s with early commits ÷ waiting, at 4 ms',
    must: 5,
    aim: 5,
    sense: 'atLeast',
    rounds: samples.ratios('early redemptions per s', 'waiting redemptions per s'),
  },
  {
    name: '[P-014] p99 of sends at 4 ms, 4 processes ÷ 1',
    must: 2,
    aim: 1.5,
    sense: 'atMost',
    rounds: samples.ratios('early sends at 4 ms of 4, p99 ms', 'early sends at 4 ms of 1, p99 ms'),
  },
  ...PROCESS_COUNTS.map((count) => ({
    name: `p99 of sends, processes at 4 ms ÷ 1 without latency, of ${count}`,
    must: 2,
    aim: 1.5,
    sense: 'atMost' as const,
    rounds: samples.ratios(
      `early sends at 4 ms of ${count}, p99 ms`,
      'early sends at 0 ms of 1, p99 ms',
    ),
  })),
  {
    name: 'p99 of sends of 4 processes at 4 ms, early ÷ waiting commits',
    must: 1,
    aim: 0.5,
    sense: 'atMost',
    rounds: samples.ratios(
      'early sends at 4 ms of 4, p99 ms',
      'waiting sends at 4 ms of 4, p99 ms',
    ),
  },
  {
    name: '[P-015] sends /s of one process with barriers ÷ without, no standby',
    must: 0.97,
    aim: 1,
    sense: 'atLeast',
    rounds: samples.ratios('sends with barriers per s', 'sends with waiting commits per s'),
  },
];
