/** Merges what every capability knows about a customer's past into one list, newest first. */
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import type { TimelineSlice, TimelineSource } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';

interface TimelineQuery {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly kind: TimelineKind | undefined;
  readonly limit: number;
  /** One for each source of the kind, in their order; `undefined` for the newest page. */
  readonly positions: readonly string[] | undefined;
}

interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  /** `undefined` if nothing follows. */
  readonly next: readonly string[] | undefined;
}

/** Positions of sources of which nothing was taken yet, and of which everything was. */
const START = '';
const END = '-';
const ENDED: TimelineSlice = { entries: [], isEnd: true, positionAfter: () => END };

/** How many entries of each slice belong to the page, taking the newest of all heads each time. */
function takeNewest(slices: readonly TimelineSlice[], limit: number) {
  const taken = slices.map(() => 0);
  const entries: TimelineEntry[] = [];
  while (entries.length < limit) {
    let newest: { readonly index: number; readonly entry: TimelineEntry } | undefined;
    for (const [index, slice] of slices.entries()) {
      const entry = slice.entries[taken[index] ?? 0];
      if (entry === undefined) {
        // What this source has next may be newer than the other heads, so the page ends here.
        if (!slice.isEnd) return { taken, entries };
      } else if (newest === undefined || entry.at > newest.entry.at) newest = { index, entry };
    }
    if (newest === undefined) break;
    entries.push(newest.entry);
    taken[newest.index] = (taken[newest.index] ?? 0) + 1;
  }
  return { taken, entries };
}

/** A page may be short although there are more: a source reads a bounded number of rows for it. */
export async function readTimeline(
  db: Db,
  sources: readonly TimelineSource[],
  { positions, limit, kind, ...customer }: TimelineQuery,
): Promise<TimelinePage> {
  const asked = sources.filter(({ kinds }) => kind === undefined || kinds.includes(kind));
  const before = asked.map((_source, index) => positions?.[index] ?? START);
  const slices = await Promise.all(
    asked.map(async (source, index) => {
      const position = before[index];
      if (position === END) return ENDED;
      const from = position === START ? undefined : position;
      return source.read(db, { ...customer, kind, limit, position: from });
    }),
  );
  const { taken, entries } = takeNewest(slices, limit);
  const next = await Promise.all(
    slices.map(async (slice, index) => {
      const count = taken[index] ?? 0;
      if (count === slice.entries.length && slice.isEnd) return END;
      // A source that found nothing in its bounded reading goes on from there.
      if (count > 0 || slice.entries.length === 0) return slice.positionAfter(count);
      return before[index] ?? START;
    }),
  );
  return { entries, next: next.every((position) => position === END) ? undefined : next };
}
