/**
 * `npm run test:faults`: kills PostgreSQL and the API in turn, under load. Every acknowledged transfer must be in the journal
 * exactly once, the books must balance, and no request may stay open for 5 s.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { verifyLedger } from '../apps/api/src/ledger/verify.ts';
import { missingOrDoubled } from './acknowledged.sql.ts';
import { PersistentSenders } from './persistent-senders.ts';
import { freePort, startApi, type RunningApi } from './programs.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const { values: flags } = parseArgs({ options: { kills: { type: 'string', default: '5' } } });

const KILLS_OF_EACH = parseInt(flags.kills, 10);
const CONNECTIONS = 64;
const USERS = 200;
const LOAD_BEFORE_KILL_MIN_MS = 1_000;
const LOAD_BEFORE_KILL_SPREAD_MS = 1_500;
/** The system counts as recovered after this many more acknowledged transfers. */
const RECOVERED_COUNT = 200;
const RECOVERY_LIMIT_MS = 30_000;
const OPEN_LIMIT_MS = 5_000;

const workbench = await openWorkbench();
let isSound = false;
try {
  isSound = await run(workbench);
} finally {
  await workbench.close();
}
process.stdout.write(isSound ? 'faults: recovered from all\n' : 'faults: FAILED\n');
process.exit(isSound ? 0 : 1);

async function run(bench: Workbench): Promise<boolean> {
  const users = await bench.createPopulated('faults', { count: USERS, senderCount: USERS });
  const databaseUrl = bench.databaseUrl('faults');
  const port = await freePort();
  let api: RunningApi = await startApi('product', databaseUrl, { port });
  const senders = new PersistentSenders(
    api.url,
    users.map(({ uuid, token }) => ({ uuid, token })),
    CONNECTIONS,
  );
  const kills = {
    PostgreSQL: () => bench.killPostgres(),
    API: async () => {
      process.kill(api.pid, 'SIGKILL');
      await api.exited;
      api = await startApi('product', databaseUrl, { port });
    },
  };
  let faultCount = 0;
  for (let round = 1; round <= KILLS_OF_EACH; round++) {
    for (const [name, kill] of Object.entries(kills)) {
      senders.start();
      await pause(LOAD_BEFORE_KILL_MIN_MS + Math.random() * LOAD_BEFORE_KILL_SPREAD_MS);
      await kill();
      const recoveryMs = await untilRecovered(senders);
      await senders.stop();
      const faults = await faultsOf(senders, databaseUrl, recoveryMs);
      faultCount += faults.length;
      report(`kill -9 ${name} ${round}`, senders, { recoveryMs, faults });
    }
  }
  await api.stop();
  return faultCount === 0;
}

/** Milliseconds from the restart to the first acknowledged transfers. */
async function untilRecovered(senders: PersistentSenders): Promise<number> {
  const startMs = performance.now();
  const wantedCount = senders.acknowledged.size + RECOVERED_COUNT;
  while (senders.acknowledged.size < wantedCount) {
    if (performance.now() - startMs > RECOVERY_LIMIT_MS) break;
    await pause(20);
  }
  return Math.round(performance.now() - startMs);
}

async function faultsOf(
  senders: PersistentSenders,
  databaseUrl: string,
  recoveryMs: number,
): Promise<string[]> {
  const faults = [...senders.wrongAnswers];
  if (recoveryMs > RECOVERY_LIMIT_MS) faults.push('it did not recover');
  if (senders.longestOpenMs > OPEN_LIMIT_MS) {
    faults.push(`a request was open for ${Math.round(senders.longestOpenMs)} ms`);
  }
  faults.push(...(await missingOrDoubled(databaseUrl, senders.acknowledged)));
  const { fault } = await verifyLedger({ databaseUrl });
  if (fault !== undefined) faults.push(`${fault.row} ${fault.reason}`);
  return faults;
}

function report(
  name: string,
  senders: PersistentSenders,
  { recoveryMs, faults }: { recoveryMs: number; faults: readonly string[] },
): void {
  const { acknowledged, unavailableCount, lostConnectionCount, longestOpenMs } = senders;
  process.stdout.write(
    `${name}: ${acknowledged.size} acknowledged, ${faults.length === 0 ? 'each found once; ' : ''}${unavailableCount} answers 503, ` +
      `${lostConnectionCount} connections lost; longest request ${Math.round(longestOpenMs)} ms; ` +
      `back after ${recoveryMs} ms${faults.length === 0 ? '' : `\n  ${faults.slice(0, 20).join('\n  ')}`}\n`,
  );
}
