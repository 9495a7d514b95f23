/**
 * `npm run bench`: the speed of ledger, shop and console as ratios, and the start of the programs. Only ratios within one run are
 * meaningful, because machines and their neighbours differ. `-- --quick` is for a quick look, `-- --long` uses a journal of 10 million
 * rows, `-- --only ledger`, `holds`, `undo`, `pieces`, `verify`, `seals`, `statements`, `shop`, `console`,
 * `start`, `latency` or `telemetry` runs one part.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureConsole } from './measure-console.ts';
import { holdsRatios, holdsRound } from './measure-holds.ts';
import { measureLatency } from './measure-latency.ts';
import {
  ledgerRatios,
  ledgerRound,
  measureHistory,
  noteJournal,
  prepareFullJournal,
  proveBooks,
} from './measure-ledger.ts';
import { measurePieces, piecesRatios } from './measure-pieces.ts';
import { measureSeals, sealsGoals } from './measure-seals.ts';
import { prepareShop, shopRatios, shopRound } from './measure-shop.ts';
import { findPgbench, preparePgbench, runPgbench } from './pgbench.ts';
import { measureStart, startGoals } from './measure-start.ts';
import { measureStatements, statementsGoals } from './measure-statements.ts';
import { measureTelemetry } from './measure-telemetry.ts';
import { measureUndo, undoRatios } from './measure-undo.ts';
import { measureVerify, verifyGoals } from './measure-verify.ts';
import { loadUser } from './population.ts';
import {
  formatReport,
  proofsOf,
  verdict,
  writeReport,
  type BenchReport,
  type MeasuredRatio,
} from './report.ts';
import { measureRound, Samples, say } from './samples.ts';
import { CONNECTIONS, LONG, NORMAL, QUICK } from './scale.ts';
import { reportOf } from './vitest-report.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    only: { type: 'string' },
    // For `npm run spec`: the file for the proven rows.
    report: { type: 'string' },
  },
});

const USERS = 10_000;
/** Users with a session. Not all users have one, because opening sessions delays the measurement. */
const SENDERS = 1_000;
/** With fewer branches than clients, TPC-B would wait for its own locks. */
const PGBENCH_SCALE = 64;

const scale = flags.long ? LONG : flags.quick ? QUICK : NORMAL;
type Part =
  | 'ledger'
  | 'holds'
  | 'undo'
  | 'pieces'
  | 'verify'
  | 'seals'
  | 'statements'
  | 'shop'
  | 'console'
  | 'start'
  | 'latency'
  | 'telemetry';
const isWanted = (part: Part): boolean => flags.only === undefined || flags.only === part;

const workbench = await openWorkbench();
try {
  const report = await measure(workbench);
  const file = writeReport(report);
  process.stdout.write(`${formatReport(report)}\n\n${file}\n`);
  if (flags.report !== undefined) {
    writeFileSync(flags.report, JSON.stringify(reportOf(proofsOf(report.ratios), 'bench/run.ts')));
  }
  if (report.ratios.some((ratio) => verdict(ratio) === 'MISSED')) process.exitCode = 1;
} finally {
  await workbench.close();
}

async function measure(bench: Workbench): Promise<BenchReport> {
  const samples = new Samples();
  const isWalletWanted = (
    ['ledger', 'holds', 'undo', 'pieces', 'verify', 'seals', 'statements', 'shop', 'start'] as const
  ).some(isWanted);
  const ratios = [
    ...(isWalletWanted ? await measureWallet(bench, samples) : []),
    ...(isWanted('console') ? await measureConsole({ bench, samples, scale }) : []),
    ...(isWanted('latency') ? await measureLatency({ bench, samples, scale }) : []),
    ...(isWanted('telemetry') ? await measureTelemetry({ bench, samples, scale }) : []),
  ];
  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    settings: {
      rounds: scale.rounds,
      measureMs: scale.measureMs,
      connections: CONNECTIONS,
      users: USERS,
      pgbenchScale: PGBENCH_SCALE,
      consoleCustomers: scale.console.customers,
      consoleJournalRows: scale.console.journalRows,
    },
    ratios,
    figures: samples.medians(),
  };
}

async function measureWallet(bench: Workbench, samples: Samples): Promise<MeasuredRatio[]> {
  say(`users: ${USERS}`);
  const users = await bench.createPopulated('prepared', { count: USERS, senderCount: SENDERS });
  const senders = users.slice(0, SENDERS).map(loadUser);
  const given = { bench, samples, scale, users, userCount: USERS, senders };
  if (isWanted('start')) await measureStart(given);
  if (isWanted('undo')) await measureUndo(given);
  if (isWanted('pieces')) await measurePieces(given);
  if (isWanted('verify')) await measureVerify(given);
  if (isWanted('seals')) await measureSeals(given);
  if (isWanted('statements')) await measureStatements(given);
  const isLoaded = (['ledger', 'holds', 'shop'] as const).some(isWanted);
  const measureTpcB = await preparedTpcB(bench, samples);
  if (isWanted('ledger')) await prepareFullJournal(given);
  const shop = isWanted('shop') ? await prepareShop(given) : undefined;

  for (let round = 1; isLoaded && round <= scale.rounds; round++) {
    say(`round ${round} of ${scale.rounds}`);
    await measureRound(measureTpcB, [
      ...(isWanted('ledger') ? [ledgerRound(given)] : []),
      ...(isWanted('holds') ? [holdsRound(given)] : []),
      ...(shop === undefined ? [] : [shopRound(shop)]),
    ]);
  }
  if (isWanted('ledger')) await measureHistory(given);
  // The last round's copy and the long journal contain all kinds of movements.
  if (isLoaded) await proveBooks(bench.databaseUrl('fresh'));
  if (isWanted('ledger')) await proveBooks(bench.databaseUrl('full'));
  if (isWanted('ledger')) await noteJournal(given);
  return [
    ...(isWanted('ledger') ? ledgerRatios(given) : []),
    ...(isWanted('holds') ? holdsRatios(given) : []),
    ...(isWanted('undo') ? undoRatios(given) : []),
    ...(shop === undefined ? [] : shopRatios(shop)),
    ...(isWanted('pieces') ? piecesRatios(given) : []),
    ...(isWanted('verify') ? verifyGoals(given) : []),
    ...(isWanted('seals') ? sealsGoals(given) : []),
    ...(isWanted('statements') ? statementsGoals(given) : []),
    ...(isWanted('start') ? startGoals(given) : []),
  ];
}

/** Returns a function that measures TPC-B, or one that does nothing if pgbench is missing. */
async function preparedTpcB(bench: Workbench, samples: Samples): Promise<() => Promise<void>> {
  const pgbench = findPgbench();
  if (pgbench === undefined) {
    say('pgbench is missing (Debian: apt install postgresql-15): nothing to compare with');
    return async () => {};
  }
  await bench.create('pgbench');
  const databaseUrl = bench.databaseUrl('pgbench');
  preparePgbench(pgbench, databaseUrl, PGBENCH_SCALE);
  const options = { clientCount: CONNECTIONS, seconds: Math.ceil(scale.measureMs / 1000) };
  return () => {
    samples.note('TPC-B tps', runPgbench(pgbench, databaseUrl, options));
    return Promise.resolve();
  };
}
