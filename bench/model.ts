/**
 * `npm run bench:model`: the peak load of a large programme, scaled to a twentieth, for 10 minutes, against two API processes and two
 * workers (decision 0055). `-- --seconds 30` is for a quick look, which is too short to judge memory.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDeps } from '../apps/api/src/deps.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { startTestSmtpServer } from '../apps/api/test/smtp-server.ts';
import { openCampaignForLoad } from './campaign.ts';
import { setPasswords } from './model/passwords.sql.ts';
import { Play, type Place } from './model/play.ts';
import { redemptionsIn, WALLETS } from './model/mix.ts';
import { faultsOf, formatAnswers, formatNeeds } from './model/verdict.ts';
import { watch, type Watched } from './model/watch.ts';
import { loadUser } from './population.ts';
import { buildBundles, configFor, freePort, startApi } from './programs.ts';
import { say } from './samples.ts';
import { fillShop } from './shop.sql.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '600' } },
});

const SECONDS = parseInt(flags.seconds, 10);
const WARM_UP_SECONDS = 15;
const PROCESSES = 2;
const STAFF = 40;
/** The number of wallets, the last ones, that also sign in. */
const SIGNING_IN = 1_000;
const PASSWORD = 'Correct-horse-7';
const DATABASE = 'model';
const COLLECT_ON_SIGNAL = join(import.meta.dirname, 'model/collect-on-signal.ts');

buildBundles();
const workbench = await openWorkbench();
try {
  const faults = await measure(workbench);
  for (const fault of faults) process.stdout.write(`MISSED: ${fault}\n`);
  if (faults.length === 0) process.stdout.write('model: every goal reached\n');
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await workbench.close();
}

async function measure(bench: Workbench): Promise<string[]> {
  const casts = await prepare(bench);
  const mail = await startTestSmtpServer();
  const shared = {
    SMTP_URL: mail.url,
    // All wallets of the measurement share one network address.
    CONNECTIONS_PER_ADDRESS: '1000000',
    // In production the console has a process of its own.
    CONSOLE: 'off',
  };
  const start = async (program: 'bundled product' | 'bundled worker', name: string) => {
    const metricsPort = await freePort();
    const settings = { ...shared, METRICS_PORT: String(metricsPort) };
    const running = await startApi(program, bench.databaseUrl(DATABASE), {
      settings,
      preloads: [COLLECT_ON_SIGNAL],
    });
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    return { running, watched: { name, pid: running.pid, metricsUrl } satisfies Watched };
  };
  const programs = [];
  try {
    for (let at = 1; at <= PROCESSES; at++) {
      programs.push(await start('bundled product', `API ${at}`));
      programs.push(await start('bundled worker', `worker ${at}`));
    }
    const urls = programs.flatMap(({ running, watched }) =>
      watched.name.startsWith('API') ? [running.url] : [],
    );
    const play = new Play(casts.map((cast, at): Place => ({ url: urls[at] ?? '', cast })));
    say(`${WALLETS} wallets open`);
    await play.openWallets();
    say(`${SECONDS} s of load`);
    let isOver = false;
    const watching = watch(
      [...programs.map(({ watched }) => watched), { name: 'load', pid: process.pid }],
      { forMs: SECONDS * 1_000, isOn: () => !isOver },
    );
    await play
      .run({ countAfterMs: WARM_UP_SECONDS * 1_000, forMs: SECONDS * 1_000 })
      .finally(() => (isOver = true));
    const needs = await watching;
    process.stdout.write(`${formatAnswers(play, SECONDS)}\n\n${formatNeeds(needs)}\n\n`);
    return faultsOf({ play, needs, seconds: SECONDS });
  } finally {
    await Promise.all(programs.map(({ running }) => running.stop()));
    await mail.close();
  }
}

/** Splits the users in two halves: the edge routes each to one process. */
async function prepare(bench: Workbench): Promise<Place['cast'][]> {
  say('users, purchases and a campaign');
  const count = WALLETS + STAFF;
  const users = await bench.createPopulated(DATABASE, { count, senderCount: count });
  const url = bench.databaseUrl(DATABASE);
  const [wallets, staff] = [users.slice(0, WALLETS), users.slice(WALLETS)];
  const shop = await fillShop(url, {
    categoryCount: 10,
    offersPerCategory: 20,
    staffUserIds: staff.map(({ userId }) => userId),
    holderUserIds: wallets.map(({ userId }) => userId),
    purchaseCount: redemptionsIn(SECONDS + WARM_UP_SECONDS),
    redeemedPurchaseCount: 10_000,
    itemsPerPurchase: 1,
  });
  const codes = await openCampaignForLoad(configFor(url), { codeCount: 2, claimCountMax: WALLETS });
  const signingIn = wallets.slice(-SIGNING_IN).map(({ userId }) => userId);
  const emails = await setPasswords(url, signingIn, await hashOf(url));
  return Array.from({ length: PROCESSES }, (_, at) => {
    const own = <T>(all: readonly T[]): T[] =>
      all.filter((_one, index) => index % PROCESSES === at);
    return {
      wallets: own(wallets).map(loadUser),
      staff: own(staff).map(loadUser),
      visits: own(shop.visits),
      emails: own(emails),
      codes,
      offerIds: shop.offerIds,
      password: PASSWORD,
    };
  });
}

async function hashOf(databaseUrl: string): Promise<string> {
  const deps = createDeps(configFor(databaseUrl), createLog('warn'));
  try {
    return await deps.passwords.hash(PASSWORD);
  } finally {
    await deps.close();
  }
}
