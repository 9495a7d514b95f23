/** Counts everything again, from the tables. Figures older than the rows of a source stay as they were counted. */
import { selectFlowsAfter } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import type { StatRow, StatSource } from '../../platform/stats/stat-source.ts';
import { FLOW_METRIC, flowRow } from './flows.ts';
import { LEDGER, recountSince, TRANSFERS_PER_STEP, zoneOf, type RollDeps } from './roll.ts';
import {
  lockProgress,
  refreshDays,
  replaceHours,
  selectFirstBucket,
  updateProgress,
  type HourRange,
} from './stats.sql.ts';

/** Times before and after everything that is ever counted. */
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');
const HOUR_MS = 60 * 60_000;
const MONTH_MS = 30 * 24 * 60 * 60_000;

/** Merges rows of the same hour, because two steps may both have transfers of it. */
function merged(rows: readonly StatRow[]): StatRow[] {
  const sums = new Map<string, StatRow>();
  for (const row of rows) {
    const name = `${row.dimension} ${row.bucket.getTime()}`;
    const known = sums.get(name);
    const sum = known && { count: known.count + row.count, units: known.units + row.units };
    sums.set(name, { ...row, ...sum });
  }
  return [...sums.values()];
}

async function replaceFlows(
  deps: RollDeps,
  { untilId, ...range }: HourRange & { readonly untilId: bigint },
  rows: readonly StatRow[],
): Promise<void> {
  const timeZone = zoneOf(deps);
  await deps.db.transaction().execute(async (tx) => {
    const progress = await lockProgress(tx, LEDGER, timeZone);
    // The queue runs one job of the reports at a time. If the journal was read further nevertheless, the job starts again.
    if (progress.transferId !== untilId) throw new Error('the journal was read on meanwhile');
    await replaceHours(tx, [FLOW_METRIC], range, rows);
    await refreshDays(tx, [FLOW_METRIC], { ...range, timeZone, isGauge: false });
    await updateProgress(tx, LEDGER, { ...progress, timeZone });
  });
}

/** Reads the journal again, up to the point to which it has been counted. An hour is replaced once all of it has been read. */
async function rebuildLedger(deps: RollDeps, rowCountMax: number): Promise<void> {
  const timeZone = zoneOf(deps);
  const { transferId: untilId } = await deps.db
    .transaction()
    .execute((tx) => lockProgress(tx, LEDGER, timeZone));
  let afterId = 0n;
  let from = BEGINNING;
  let rows: StatRow[] = [];
  for (;;) {
    const step = { afterId, untilId, rowCountMax, timeZone };
    const { flows, lastId } = await selectFlowsAfter(deps.db, step);
    rows = merged([...rows, ...flows.map(flowRow)]);
    const openHour = flows.at(-1)?.hour;
    if (lastId === undefined || lastId >= untilId || openHour === undefined) break;
    await replaceFlows(
      deps,
      { untilId, from, to: openHour },
      rows.filter(({ bucket }) => bucket < openHour),
    );
    rows = rows.filter(({ bucket }) => bucket >= openHour);
    from = openHour;
    afterId = lastId;
  }
  await replaceFlows(deps, { untilId, from, to: END }, rows);
}

/** Sums up all days again, because they may begin at another time than when their hours were counted. */
async function refreshAllDays(
  { db, ...deps }: RollDeps,
  { metrics, isGauge = false }: StatSource,
): Promise<void> {
  const timeZone = zoneOf(deps);
  const now = dateOf(deps.clock);
  let from = BEGINNING;
  let to = (await selectFirstBucket(db, metrics)) ?? now;
  do {
    to = new Date(to.getTime() + MONTH_MS);
    const range = { from, to: to < now ? to : END };
    await db
      .transaction()
      .execute((tx) => refreshDays(tx, metrics, { ...range, timeZone, isGauge }));
    from = to;
  } while (to < now);
}

/** Counts a source again. Hours that were counted before the oldest row stay as they are. */
async function rebuildSource(deps: RollDeps, source: StatSource): Promise<void> {
  const { db, clock } = deps;
  const since = (await source.firstAt(db)) ?? dateOf(clock);
  const { timeZone: countedIn } = await db
    .transaction()
    .execute((tx) => lockProgress(tx, source.name, zoneOf(deps)));
  // In another time zone, the hour of the oldest row may have begun earlier.
  const wasElsewhere = countedIn !== zoneOf(deps);
  await recountSince(deps, source, wasElsewhere ? new Date(since.getTime() - HOUR_MS) : since);
  await refreshAllDays(deps, source);
}

export async function rebuild(
  deps: RollDeps,
  transfersPerStep: number = TRANSFERS_PER_STEP,
): Promise<void> {
  await rebuildLedger(deps, transfersPerStep);
  for (const source of deps.statSources) await rebuildSource(deps, source);
}
