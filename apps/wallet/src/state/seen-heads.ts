/**
 * The heads of days that this browser has seen published (decision 0060). They prove to a customer that the books were rewritten, because
 * no later answer of the server can take them back. They belong to no account: every session, and a visitor with a shared receipt, sees
 * the same heads, so a sign-out keeps them. Only a deleted account, which leaves nothing on the device, clears them.
 */
import { openStored } from '@athos/app-core/stored-value';

/** The hash of each day: `2026-11-22`. */
type SeenHeads = Readonly<Record<string, string>>;

export interface Head {
  readonly day: string;
  readonly hash: string;
}

/** More than a year, in at most 40 kB of the browser's 5 MB. */
const DAYS_MAX = 400;

const NONE: SeenHeads = {};

const isHead = ([day, hash]: readonly [string, unknown]): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash);

const parseHeads = (stored: unknown): SeenHeads | undefined =>
  typeof stored === 'object' && stored !== null
    ? (Object.fromEntries(Object.entries(stored).filter(isHead)) as SeenHeads)
    : undefined;

const newestDays = (heads: SeenHeads): SeenHeads =>
  Object.fromEntries(
    Object.entries(heads)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .slice(-DAYS_MAX),
  );

const stored = openStored({ key: 'seen-heads', empty: NONE, parse: parseHeads });

/** Keeps heads that were not seen before, and returns the first kept one that differs from the head now published for its day. */
export function keepHeads(published: readonly Head[]): Head | undefined {
  const before = stored.read();
  const differing = published.find(({ day, hash }) => (before[day] ?? hash) !== hash);
  if (published.some(({ day }) => before[day] === undefined)) {
    const fresh = Object.fromEntries(published.map(({ day, hash }) => [day, hash]));
    // A kept head is never replaced.
    stored.change((seen) => newestDays({ ...fresh, ...seen }));
  }
  return differing && { day: differing.day, hash: before[differing.day] ?? '' };
}
