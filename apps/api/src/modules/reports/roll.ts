/**
 * Counts the events of each hour, so that the dashboard reads few rows however many events there are. The ledger's part continues after
 * the last transfer; the other sources count their last hours again. Counting everything again gives the same figures (O-167).
 */
import type { Contributions } from '../../capability.ts';
import { selectFlowsAfter, selectProgrammeAccounts } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { StatRow, StatSource } from '../../platform/stats/stat-source.ts';
import { FLOW_METRIC, flowOf, flowRow } from './flows.ts';
import {
  addToHours,
  lockProgress,
  refreshDays,
  replaceHours,
  selectHourOf,
  selectTotals,
  updateProgress,
  type HourRange,
} from './stats.sql.ts';

export interface RollDeps extends Pick<Contributions, 'statSources'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: { readonly console: { readonly timeZone: string } };
}

const HOUR_MS = 60 * 60_000;
/** The number of transfers that one statement adds up, which takes about 100 ms. */
export const TRANSFERS_PER_STEP = 50_000;
/** The time that is counted again. Transactions end within seconds; the rest allows for a clock that was wrong. */
const RECOUNTED_MS = 3 * HOUR_MS;
/**
 * The time that one statement counts. It is doubled where few events occurred, so that a small programme is counted quickly from its
 * beginning.
 */
const STEP_MS = 6 * HOUR_MS;
const STEP_MS_MAX = 48 * HOUR_MS;
/** Fewer events than this count as few: a statement with twice as many takes some 10 ms. */
const FEW_EVENTS = 5_000n;

export const LEDGER = 'ledger';
export const zoneOf = ({ config }: Pick<RollDeps, 'config'>): string => config.console.timeZone;

/** The range from the first to the last hour of the rows, which are sorted. */
function rangeOf(rows: readonly StatRow[]): HourRange | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: first.bucket, to: new Date(last.bucket.getTime() + 1) };
}

/** Checks that the counted movements of each account of the programme add up to its balance. Both are from one snapshot. */
async function compareWithBooks({ log }: RollDeps, tx: Tx): Promise<void> {
  const counted = new Map<bigint, bigint>();
  const add = (id: bigint, units: bigint) => counted.set(id, (counted.get(id) ?? 0n) + units);
  for (const { dimension, units } of await selectTotals(tx, FLOW_METRIC)) {
    const { debitId, creditId } = flowOf(dimension);
    add(debitId, -units);
    add(creditId, units);
  }
  const accounts = await selectProgrammeAccounts(tx);
  const wrong = accounts.find(({ id, balanceUnits }) => (counted.get(id) ?? 0n) !== balanceUnits);
  if (wrong === undefined) return;
  log.error(
    {
      alarm: 'reports_differ',
      account: wrong.code,
      counted: (counted.get(wrong.id) ?? 0n).toString(),
      balance: wrong.balanceUnits.toString(),
    },
    'the counted movements differ from the balances',
  );
}

/** Adds the next transfers. Returns `false` at the end of the journal. */
async function rollNextTransfers(deps: RollDeps): Promise<boolean> {
  const timeZone = zoneOf(deps);
  // One snapshot is used, so that no transfer is posted between the last transfer read and the balances with which it is compared.
  const transaction = deps.db.transaction().setIsolationLevel('repeatable read');
  return transaction.execute(async (tx) => {
    const progress = await lockProgress(tx, LEDGER, timeZone);
    const { flows, lastId } = await selectFlowsAfter(tx, {
      afterId: progress.transferId,
      rowCountMax: TRANSFERS_PER_STEP,
      timeZone: progress.timeZone,
    });
    const rows = flows.map(flowRow);
    const range = rangeOf(rows);
    const transferId = lastId ?? progress.transferId;
    if (range !== undefined) {
      await addToHours(tx, rows);
      await refreshDays(tx, [FLOW_METRIC], {
        ...range,
        timeZone: progress.timeZone,
        isGauge: false,
      });
    }
    const isEnd = flows.reduce((sum, { count }) => sum + count, 0n) < BigInt(TRANSFERS_PER_STEP);
    await updateProgress(tx, LEDGER, {
      ...progress,
      transferId,
      rolledAt: isEnd ? dateOf(deps.clock) : progress.rolledAt,
    });
    if (isEnd) await compareWithBooks(deps, tx);
    return !isEnd;
  });
}

/** Reads the journal to its end. */
export async function rollLedger(deps: RollDeps): Promise<void> {
  while (await rollNextTransfers(deps));
}

/** Counts these hours again, and returns the number of events. */
async function recount(deps: RollDeps, source: StatSource, range: HourRange): Promise<bigint> {
  const { name, metrics, isGauge = false } = source;
  const timeZone = zoneOf(deps);
  return deps.db.transaction().execute(async (tx) => {
    const progress = await lockProgress(tx, name, timeZone);
    const rows = await source.count(tx, { ...range, timeZone });
    await replaceHours(tx, metrics, range, rows);
    await refreshDays(tx, metrics, { ...range, timeZone, isGauge });
    const now = dateOf(deps.clock);
    await updateProgress(tx, name, {
      ...progress,
      timeZone,
      rolledAt: range.to < now ? range.to : now,
    });
    return rows.reduce((sum, { count }) => sum + count, 0n);
  });
}

/** Counts all hours from that of `since` to the current one. */
export async function recountSince(deps: RollDeps, source: StatSource, since: Date): Promise<void> {
  const timeZone = zoneOf(deps);
  const now = dateOf(deps.clock);
  let from = await selectHourOf(deps.db, since, timeZone);
  let stepMs = STEP_MS;
  while (from <= now) {
    const to = await selectHourOf(deps.db, new Date(from.getTime() + stepMs), timeZone);
    const count = await recount(deps, source, { from, to });
    stepMs = count < FEW_EVENTS ? Math.min(stepMs * 2, STEP_MS_MAX) : STEP_MS;
    from = to;
  }
}

/** Counts the last hours of every source again, or all hours of a source that was never counted. */
export async function rollSources(deps: RollDeps): Promise<void> {
  const now = dateOf(deps.clock);
  for (const source of deps.statSources) {
    const { rolledAt } = await deps.db
      .transaction()
      .execute((tx) => lockProgress(tx, source.name, zoneOf(deps)));
    const since =
      rolledAt === null
        ? await source.firstAt(deps.db)
        : new Date(Math.min(rolledAt.getTime(), now.getTime()) - RECOUNTED_MS);
    await recountSince(deps, source, since ?? now);
  }
}
