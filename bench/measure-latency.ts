/**
 * Measures the savings of early commits (decision 0041) while each commit takes as long as a standby's response, which `commit_delay`
 * simulates, and the cost of their barriers without a standby. Each is compared with the same build with waiting commits.
 */
import { BUILDS, LATENCY_MS, startBuild, type Build, type LatencyBench } from './latency/builds.ts';
import { measureSends, PROCESS_COUNTS } from './latency/send-latency.ts';
import { openCampaignForLoad } from './campaign.ts';
import type { LoadPlan, LoadRequest, LoadUser } from './load-plan.ts';
import { loadUser } from './population.ts';
import { configFor, runLoad, SIGNING_SEED, type RunningApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled } from './samples.ts';
import { CONNECTIONS } from './scale.ts';
import { fillShop, type Shop } from './shop.sql.ts';
import { measureTurns, turnRatios } from './turns/measure-turns.ts';

const CLAIMS_PER_SECOND = 400;
const USERS = 2_000;
const SENDERS = 1_000;
const STAFF = 20;
const ITEMS_PER_CODE = 3;
/** More than a run claims and redeems. */
const CODES = 200;
const PURCHASES = 45_000;

interface Prepared extends LatencyBench {
  readonly senders: readonly LoadUser[];
  readonly shop: Shop;
  readonly codes: readonly string[];
}

export async function measureLatency(given: LatencyBench): Promise<MeasuredRatio[]> {
  const prepared = await prepare(given);
  await measureRates(prepared);
  await measureSends(given, sends(prepared));
  await measureTurns(given, {
    name: 'barriers',
    toggles: ['barriers'],
    databaseUrl: given.bench.databaseUrl('latency'),
    request: sends(prepared),
  });
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
    rounds: turnRatios(samples, 'barriers'),
  },
];
