/** The tables of a run, and the goals that it missed. */
import { rounded } from '../report.ts';
import type { Play } from './play.ts';
import type { Growth, Needs, UsedGrowth } from './watch.ts';

const P99_MS = 300;
/**
 * The maximum growth from the middle of a run to its end. A leak of 1 KB in each of 2,000 requests a second would add 480 MB in the 4 minutes
 * between. The resident set keeps what the largest piece of work has taken once, a seal for example, so it may grow by a step.
 */
const GROWTH_MAX = { used: 0.1, resident: 0.25 } as const;
/** In shorter runs, heaps do not reach the size at which they are collected. */
const MEMORY_SECONDS_MIN = 300;
/** The minimum share of the intended calls that were made. With less, the load itself could not keep its rate. */
const MADE_MIN = 0.99;

function atShare(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const percentile = (durations: readonly number[], share: number): number =>
  atShare(Float64Array.from(durations).sort(), share);

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

export function formatAnswers(play: Play, seconds: number): string {
  const rows = play.answered.map(({ name, durationsMs, failedCount, refusedCount }) => [
    name,
    String(rounded(durationsMs.length / seconds)),
    String(rounded(percentile(durationsMs, 0.5))),
    String(rounded(percentile(durationsMs, 0.99))),
    String(failedCount),
    String(refusedCount),
  ]);
  const sum = (count: (streams: Play['streams'][number]) => number): number =>
    play.streams.reduce((total, streams) => total + count(streams), 0);
  const streams =
    `streams: ${sum((all) => all.openedCount)} opened, ${sum((all) => all.brokenCount)} broken, ` +
    `${sum((all) => all.eventCount)} events`;
  return `${table([['call', 'per s', 'p50 ms', 'p99 ms', 'failed', 'refused'], ...rows])}\n${streams}`;
}

const grown = ({ middleMb, lastMb }: Growth): string =>
  `${Math.round(middleMb)} to ${Math.round(lastMb)}`;

export const formatNeeds = (needs: readonly Needs[]): string =>
  table([
    ['process', 'MB in use', 'MB resident', 'cores', 'worst p99 of the event loop, ms'],
    ...needs.map(({ name, used, resident, cpuShare, loopDelayMs }) => [
      name,
      grown(used),
      grown(resident),
      String(rounded(cpuShare)),
      String(Math.round(loopDelayMs)),
    ]),
  ]);

/**
 * The growth of which as much happened in each half of the time. A leak grows all the time. What is loaded once, as the card provider's SDK is
 * with a worker's first card job (20 MB), is a step in one half.
 */
const leakedMb = ({ middleMb, laterMb, lastMb }: UsedGrowth): number =>
  2 * Math.min(laterMb - middleMb, lastMb - laterMb);

/** Empty if every goal was met. */
export function faultsOf({
  play,
  needs,
  seconds,
}: {
  readonly play: Play;
  readonly needs: readonly Needs[];
  readonly seconds: number;
}): string[] {
  const faults: string[] = [];
  for (const { name, durationsMs, failedCount, refusedCount } of play.answered) {
    const p99Ms = percentile(durationsMs, 0.99);
    if (!(p99Ms < P99_MS)) faults.push(`${name}: p99 ${rounded(p99Ms)} ms, not under ${P99_MS}`);
    if (failedCount > 0) faults.push(`${name}: ${failedCount} failed`);
    if (refusedCount > 0) faults.push(`${name}: ${refusedCount} refused`);
  }
  for (const { name, intendedCount, madeCount } of play.paces(seconds)) {
    if (madeCount < intendedCount * MADE_MIN) {
      faults.push(`${name}: the load made ${madeCount} of ${Math.round(intendedCount)} calls`);
    }
  }
  const broken = play.streams.reduce((total, { brokenCount }) => total + brokenCount, 0);
  if (broken > 0) faults.push(`${broken} streams were refused or broken`);
  for (const need of needs) {
    if (seconds < MEMORY_SECONDS_MIN || need.name === 'load') continue;
    const { used, resident } = need;
    if (!(leakedMb(used) <= used.middleMb * GROWTH_MAX.used)) {
      faults.push(`${need.name}: memory in use grew from ${grown(used)} MB`);
    }
    if (!(resident.lastMb <= resident.middleMb * (1 + GROWTH_MAX.resident))) {
      faults.push(`${need.name}: resident memory grew from ${grown(resident)} MB`);
    }
  }
  return faults;
}
