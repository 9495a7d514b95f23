/**
 * Books good entries in the order of the log. The goods were handed out, so an item is redeemed even if its ticket ended, its offer was
 * withdrawn, or a brake is on. Only an item that was already redeemed or refunded is not, and then a loss has occurred.
 */
import type { Tx } from '../../../platform/database/database.ts';
import { markItemsRedeemedAt } from '../../shop/index.ts';
import {
  insertOfflineRedemptions,
  insertScans,
  lockItemsOfEntries,
  selectFirstRedemptions,
  type FirstRedemption,
  type LockedItem,
} from './booking.sql.ts';
import type { HandedOut } from './allowance.ts';
import { insertConflicts, type NewConflict } from './conflicts.sql.ts';
import type { ItemOutcome, NewEntry } from './entries.sql.ts';
import type { GoodEntry } from './judge-entry.ts';
import type { OfflineLog } from './logs.sql.ts';

const LOGGED_TITLES_MAX = 10;

/** The first redemption of an item: one in the books, or an entry of this call, which has no id yet. */
interface Redeemed {
  readonly at: Date;
  readonly by: FirstRedemption | GoodEntry;
}

/** What happened to an item before it was handed out. */
type Before = Redeemed | { readonly at: Date; readonly by: 'refund' };

interface Booking {
  readonly entry: GoodEntry;
  readonly at: Date;
  readonly items: readonly LockedItem[];
  readonly outcomes: readonly (ItemOutcome & {
    readonly row: LockedItem | undefined;
    readonly first: Before | undefined;
  })[];
}

export interface Booked {
  readonly handedOut: readonly HandedOut[];
  readonly conflictCount: number;
  /** Whether any item is not redeemable at the venue where it was handed out. */
  readonly isElsewhere: boolean;
  readonly entries: readonly NewEntry[];
  /** The redemptions to announce after the commit. */
  readonly announcements: readonly { readonly holderId: bigint; readonly redemptionId: bigint }[];
}

/** A UUID of version 8 from the first half of the entry's hash: the same entry can never be redeemed under a second key. */
function keyOf({ hash }: GoodEntry): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.toString('hex');
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20),
  ].join('-');
}

/** The scanner's time, but not before the ticket's start and not after now. */
const handedOutAt = ({ at_ms: atMs, read }: GoodEntry, now: Date): Date =>
  new Date(Math.min(Math.max(atMs, read.ticket.validFromMs), now.getTime()));

/**
 * Whether the online redemption is the same handover: its answer was lost, and the same scanner redeemed the same code again without a
 * network. If it was another scanner of the same person, the items were handed out twice.
 */
const isSameHandover = (
  first: Redeemed['by'],
  { read, staffUserId, venue_id: venueId }: GoodEntry,
  deviceId: string,
) =>
  'codeHash' in first &&
  !first.isOffline &&
  first.deviceId === deviceId &&
  first.userId === staffUserId &&
  first.venueId === venueId &&
  first.codeHash?.equals(read.hash) === true;

function judgeItem(
  row: LockedItem | undefined,
  entry: GoodEntry,
  { redeemed, deviceId }: Books,
): { readonly outcome: ItemOutcome['outcome']; readonly first: Before | undefined } {
  if (row === undefined || !row.holderUuid.startsWith(entry.read.shortUuid)) {
    return { outcome: 'refused', first: undefined };
  }
  const first = redeemed.get(row.id);
  if (first === undefined) {
    const { voidedAt } = row;
    return voidedAt === null
      ? { outcome: 'redeemed', first }
      : { outcome: 'refused', first: { at: voidedAt, by: 'refund' } };
  }
  const isSame = isSameHandover(first.by, entry, deviceId);
  return { outcome: isSame ? 'redeemed' : 'conflict', first };
}

interface Books {
  /** The device whose log is booked. */
  readonly deviceId: string;
  readonly rows: ReadonlyMap<number, LockedItem>;
  readonly redeemed: Map<number, Redeemed>;
}

function judgeAll(entries: readonly GoodEntry[], books: Books, now: Date): Booking[] {
  const { rows, redeemed } = books;
  return entries.map((entry) => {
    const at = handedOutAt(entry, now);
    const outcomes = entry.item_ids.map((id) => {
      const row = rows.get(id);
      return { item_id: id, row, ...judgeItem(row, entry, books) };
    });
    const items = outcomes.flatMap(({ row, outcome, first }) =>
      row !== undefined && outcome === 'redeemed' && first === undefined ? [row] : [],
    );
    for (const { id } of items) redeemed.set(id, { at, by: entry });
    return { entry, at, items, outcomes };
  });
}

const scanOf = ({ entry, items, outcomes }: Booking, now: Date) => ({
  action: 'redeem' as const,
  userId: entry.staffUserId,
  at: now,
  venueId: entry.venue_id,
  outcome: items.length > 0 ? 'ok' : logged[outcomes[0]?.outcome ?? 'refused'],
  codeHash: entry.read.hash,
  holderUserId: holderOf(outcomes),
  itemCount: entry.item_ids.length,
  redeemedCount: items.length,
  titles: [...new Set(outcomes.flatMap(({ row }) => (row === undefined ? [] : [row.title])))].slice(
    0,
    LOGGED_TITLES_MAX,
  ),
});

/** The outcomes in the log of scans for entries that redeemed nothing. */
const logged = { redeemed: 'already_redeemed', conflict: 'already_redeemed', refused: 'not_found' };

/** Whether the item belongs to the code's holder. Refunded items were handed out as well. */
const isOfHolder = ({ outcome, first }: Booking['outcomes'][number]): boolean =>
  outcome !== 'refused' || first !== undefined;

const holderOf = (outcomes: Booking['outcomes']): bigint | null =>
  outcomes.find(isOfHolder)?.row?.holderId ?? null;

/** Whether an item was handed out that is not redeemable at the entry's venue. A scanner that follows its list never does this. */
const hasForeignItem = ({ entry, outcomes }: Booking): boolean =>
  outcomes.some((one) => isOfHolder(one) && one.row?.venueIds?.includes(entry.venue_id) === false);

/** Whatever the outcome of the items, they were handed out. */
function handedOutOf({ entry, outcomes }: Booking): HandedOut {
  const values = outcomes.map(({ row }) => row?.leastAthHundredths ?? 0);
  return {
    atMs: entry.at_ms,
    itemCount: outcomes.length,
    valueAthHundredths: values.reduce((sum, value) => sum + value, 0),
    dearestAthHundredths: Math.max(...values),
  };
}

/** Books the entries. The caller has locked the log. The items are locked here, all at once. */
export async function bookEntries(
  tx: Tx,
  {
    log,
    entries,
    now,
  }: {
    readonly log: Pick<OfflineLog, 'id' | 'deviceId'>;
    readonly entries: readonly GoodEntry[];
    readonly now: Date;
  },
): Promise<Booked> {
  const items = await lockItemsOfEntries(tx, [
    ...new Set(entries.flatMap(({ item_ids: ids }) => ids)),
  ]);
  const rows = new Map(items.map((item) => [item.id, item]));
  const known = items.flatMap(({ redemptionId }) => (redemptionId === null ? [] : [redemptionId]));
  const firsts = await selectFirstRedemptions(tx, [...new Set(known)]);
  const firstOf = new Map(firsts.map((first) => [first.id, first]));
  const redeemed = new Map<number, Redeemed>();
  for (const { id, redeemedAt, redemptionId } of items) {
    const by = redemptionId === null ? undefined : firstOf.get(redemptionId);
    if (by !== undefined && redeemedAt !== null) redeemed.set(id, { at: redeemedAt, by });
  }
  const bookings = judgeAll(entries, { deviceId: log.deviceId, rows, redeemed }, now);
  const ids = await redeem(tx, bookings, now);
  const conflicts = conflictsOf(log.id, bookings, ids);
  await insertConflicts(tx, conflicts, now);
  await insertScans(
    tx,
    bookings.map((booking) => scanOf(booking, now)),
  );
  return {
    handedOut: bookings.map(handedOutOf),
    conflictCount: conflicts.length,
    isElsewhere: bookings.some(hasForeignItem),
    entries: bookings.map(({ entry, outcomes }) => ({
      entry,
      state: 'booked',
      fault: null,
      holderUserId: holderOf(outcomes),
      redemptionId: ids.get(keyOf(entry)) ?? null,
      outcomes: outcomes.map(({ item_id, outcome }) => ({ item_id, outcome })),
    })),
    announcements: bookings.flatMap(({ entry, items: [first] }) => {
      const redemptionId = ids.get(keyOf(entry));
      return first === undefined || redemptionId === undefined
        ? []
        : [{ holderId: first.holderId, redemptionId }];
    }),
  };
}

const isRefunded = ({ first }: Booking['outcomes'][number]): boolean => first?.by === 'refund';

/** As online, an entry with only refunded items is also stored as a redemption, of no items. */
async function redeem(tx: Tx, bookings: readonly Booking[], now: Date) {
  const made = bookings.filter(
    ({ items, outcomes }) => items.length > 0 || outcomes.some(isRefunded),
  );
  const ids = await insertOfflineRedemptions(
    tx,
    made.map(({ entry, items }) => ({
      userId: entry.staffUserId,
      key: keyOf(entry),
      requestHash: entry.hash,
      venueId: entry.venue_id,
      itemCount: items.length,
    })),
    now,
  );
  await markItemsRedeemedAt(
    tx,
    made.flatMap(({ entry, at, items }) =>
      items.map(({ id }) => ({ id, at, redemptionId: ids.get(keyOf(entry)) ?? 0n })),
    ),
  );
  return ids;
}

/** A refunded item has no redemption, so its conflict refers to the redemption of the entry that handed it out. */
function redemptionBefore(
  { by }: Before,
  entry: GoodEntry,
  ids: ReadonlyMap<string, bigint>,
): bigint | undefined {
  if (by === 'refund') return ids.get(keyOf(entry));
  return 'codeHash' in by ? by.id : ids.get(keyOf(by));
}

function conflictsOf(
  logId: string,
  bookings: readonly Booking[],
  ids: ReadonlyMap<string, bigint>,
): NewConflict[] {
  return bookings.flatMap(({ entry, at, outcomes }) =>
    outcomes.flatMap(({ outcome, row, first }) => {
      if (outcome === 'redeemed' || row === undefined || first === undefined) return [];
      const firstRedemptionId = redemptionBefore(first, entry, ids);
      if (firstRedemptionId === undefined) return [];
      return [
        {
          itemId: row.id,
          firstRedemptionId,
          firstAt: first.at,
          logId,
          entryHash: entry.hash,
          at,
          venueId: entry.venue_id,
          staffUserId: entry.staffUserId,
          holderUserId: row.holderId,
          valueAthHundredths: row.priceAthHundredths,
        },
      ];
    }),
  );
}
