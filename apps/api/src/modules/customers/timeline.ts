/** Merges the timelines of all capabilities about one customer into one list, newest first. */
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import type { TimelineSlice, TimelineSource } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';

interface TimelineQuery {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly kind: TimelineKind | undefined;
  readonly limit: number;
  /** One position for each source, in the order of the sources; `undefined` for the newest page. */
  readonly positions: readonly string[] | undefined;
}

interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  /** `undefined` if there are no more entries. */
  readonly next: readonly string[] | undefined;
}

/** Positions of a source that was not read yet, and of one that was read to its end. */
const START = '';
const END = '-';
const ENDED: TimelineSlice = { entries: [], isEnd: true, positionAfter: () => END };

/** How many entries of each slice belong to the page. Repeatedly takes the newest of the slices' next entries. */
function takeNewest(slices: readonly TimelineSlice[], limit: number) {
  const taken = slices.map(() => 0);
  const entries: TimelineEntry[] = [];
  while (entries.length < limit) {
    let newest: { readonly index: number; readonly entry: TimelineEntry } | undefined;
    for (const [index, slice] of slices.entries()) {
      const entry = slice.entries[taken[index] ?? 0];
      if (entry === undefined) {
        // The next entry of this source is unknown and may be newer than the others, so the page ends here.
        if (!slice.isEnd) return { taken, entries };
      } else if (newest === undefined || entry.at > newest.entry.at) newest = { index, entry };
    }
    if (newest === undefined) break;
    entries.push(newest.entry);
    taken[newest.index] = (taken[newest.index] ?? 0) + 1;
  }
  return { taken, entries };
}

/** A page may be short although more entries follow, because a source reads a bounded number of rows for each page. */
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
      // A source that found nothing among the rows it read continues after them.
      if (count > 0 || slice.entries.length === 0) return slice.positionAfter(count);
      return before[index] ?? START;
    }),
  );
  return { entries, next: next.every((position) => position === END) ? undefined : next };
}
