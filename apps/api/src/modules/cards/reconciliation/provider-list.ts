/**
 * How a list of the provider is stored completely: in slices from old to new, each of which moves a mark. What is stored otherwise, by
 * webhooks or settled payments, does not show how far the list was read: after an outage the newest comes before all that was missed.
 */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { selectListedUntil, updateListedUntil, type ListMark } from './provider-list.sql.ts';

const HOUR_MS = 60 * 60_000;
/** What a slice lists appears in the order of its times, with deviations of seconds. */
const OVERLAP_MS = 2 * HOUR_MS;
/** A failed slice is read again as a whole, so it has few pages. A regular run needs only one slice. */
const SLICE_MS = 6 * HOUR_MS;
/** Less than the 15 minutes until the next run, which would otherwise read the same slices beside this one. */
const RUN_MS_MAX = 10 * 60_000;

interface ListDeps {
  readonly db: Db;
  readonly clock: Clock;
}

interface ProviderList {
  readonly mark: ListMark;
  /** The time from which something may be missing; `mark` is `undefined` until the first slice is stored. */
  readonly missingSince: (mark: Date | undefined) => Promise<Date>;
  /** Stores what is listed from `from` to `to`, and then moves the mark, in the same transaction if it has one. */
  readonly storeSlice: (
    slice: { readonly from: Date; readonly to: Date },
    moveMark: (tx: Db | Tx) => Promise<void>,
  ) => Promise<void>;
}

/**
 * Stores what is new on the list. Returns `false` if the time of a run ended first; the next run continues, as it does after a failure.
 */
export async function storeProviderList(
  { db, clock }: ListDeps,
  { mark, missingSince, storeSlice }: ProviderList,
): Promise<boolean> {
  const endsAt = performance.now() + RUN_MS_MAX;
  const nowMs = clock.nowMs();
  const since = await missingSince(await selectListedUntil(db, mark));
  // A mark from a clock that was ahead must not end the list.
  let fromMs = Math.min(since.getTime(), nowMs) - OVERLAP_MS;
  while (fromMs < nowMs) {
    if (performance.now() > endsAt) return false;
    // The provider's clock may be ahead of ours.
    const toMs = Math.min(fromMs + SLICE_MS, nowMs + OVERLAP_MS);
    const until = new Date(Math.min(toMs, nowMs));
    await storeSlice({ from: new Date(fromMs), to: new Date(toMs) }, (tx) =>
      updateListedUntil(tx, mark, { until, now: dateOf(clock) }),
    );
    fromMs = toMs;
  }
  return true;
}
