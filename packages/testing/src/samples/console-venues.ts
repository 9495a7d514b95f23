/** Venues and scans, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Venue = ConsoleAnswerOf<'venue'>;
type Summary = ConsoleAnswerOf<'venues'>['items'][number];
type Counts = ConsoleAnswerOf<'venueCounts'>;
type Scan = ConsoleAnswerOf<'scans'>['items'][number];

export const VENUE_ID = 3;
export const SCAN_ID = 90_412;
const SCANNER_UUID = '0192aaaa-0000-7000-8000-0000000000aa';
const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();
const DAY_MINUTES = 24 * 60;

const VENUES: readonly Summary[] = [
  {
    id: VENUE_ID,
    name: 'Harbour Stage',
    address: '1 Quay Road, Harbour City',
    archived_at: null,
    staff_count: 3,
  },
  {
    id: 4,
    name: 'Sky Bar',
    address: '40th floor, 9 Long Avenue',
    archived_at: null,
    staff_count: 12,
  },
  {
    id: 5,
    name: 'The summer terrace behind the old customs house',
    address: 'Customs Lane',
    archived_at: minutesAgo(60 * DAY_MINUTES),
    staff_count: 0,
  },
];

export const venue = (more: Partial<Venue> = {}): Venue => ({
  ...(VENUES[0] as Summary),
  hours: 'Tue to Thu, 18 to 24\nFri and Sat, 18 to 3',
  version: 4,
  staff: [
    {
      uuid: SCANNER_UUID,
      email: 'n•••@a•••.example',
      bound_at: minutesAgo(90 * DAY_MINUTES),
      last_scan_at: minutesAgo(2),
    },
    {
      uuid: '0192aaaa-0000-7000-8000-0000000000ab',
      email: 'r•••@a•••.example',
      bound_at: minutesAgo(30 * DAY_MINUTES),
      last_scan_at: minutesAgo(3 * DAY_MINUTES),
    },
    {
      uuid: '0192aaaa-0000-7000-8000-0000000000ac',
      email: 's•••@m•••.example',
      bound_at: minutesAgo(20),
      last_scan_at: null,
    },
  ],
  offers: [
    { id: 31, title: 'Night at the Harbour Stage, front row with a drink', is_everywhere: false },
    { id: 12, title: 'Amber Fizz, 0.33 l', is_everywhere: true },
    { id: 14, title: 'Team cap', is_everywhere: true },
  ],
  ...more,
});

const count = (
  venueId: number,
  outcome: Scan['outcome'],
  [hour, day]: readonly [number, number],
  [hourItems, dayItems]: readonly [number, number] = [0, 0],
): Counts['items'][number] => ({
  venue_id: venueId,
  outcome,
  hour: { attempts: hour, redeemed_items: hourItems },
  day: { attempts: day, redeemed_items: dayItems },
});

const countsHere = [
  count(VENUE_ID, 'ok', [118, 1284], [92, 1190]),
  count(VENUE_ID, 'already_redeemed', [3, 21]),
  count(VENUE_ID, 'code_expired', [6, 44]),
  count(VENUE_ID, 'invalid_signature', [0, 1]),
];

export const venueCounts = (more: Partial<Counts> = {}): Counts => ({
  day_from: minutesAgo(9 * 60),
  hour_from: minutesAgo(60),
  counted_from: null,
  items: [...countsHere, count(4, 'ok', [12, 87], [9, 64])],
  ...more,
});

const scan = (id: number, more: Partial<Scan> = {}): Scan => ({
  id,
  at: minutesAgo(SCAN_ID - id + 1),
  action: 'redeem',
  outcome: 'ok',
  venue: { id: VENUE_ID, name: 'Harbour Stage' },
  scanner_uuid: SCANNER_UUID,
  customer_uuid: CUSTOMER_UUID,
  item_count: 1,
  redeemed_count: 1,
  titles: ['Amber Fizz, 0.33 l'],
  ...more,
});

const SCANS: readonly Scan[] = [
  scan(SCAN_ID, { item_count: 3, redeemed_count: 2, titles: ['Amber Fizz, 0.33 l', 'Team cap'] }),
  scan(90_411, { action: 'scan', redeemed_count: 0 }),
  scan(90_410, { outcome: 'code_replayed', redeemed_count: 0, titles: [] }),
  scan(90_398, {
    outcome: 'unreadable_code',
    customer_uuid: null,
    venue: null,
    item_count: 0,
    redeemed_count: 0,
    titles: [],
  }),
  scan(90_390, { outcome: 'wrong_venue', redeemed_count: 0, venue: { id: 4, name: 'Sky Bar' } }),
];

const listed = <Item>(items: readonly Item[]) => ({
  items: [...items],
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

type Scanner = ConsoleAnswerOf<'scanner'>;

export const SCANNER_ID = '0192cccc-0000-7000-8000-000000000041';

export const scannerDevice = (more: Partial<Scanner> = {}): Scanner => ({
  id: SCANNER_ID,
  name: 'Bar 2, left till',
  label: 'Safari on iOS',
  venue: { id: VENUE_ID, name: 'Harbour Stage' },
  user_uuid: SCANNER_UUID,
  app_version: 'index-DkPbY2xQ',
  first_seen_at: minutesAgo(40 * DAY_MINUTES),
  last_seen_at: minutesAgo(1),
  last_scan_at: minutesAgo(2),
  is_signed_in: true,
  blocked_at: null,
  offline_state: 'active',
  offline: {
    last_sync_at: minutesAgo(3),
    suspect_since: null,
    is_above_allowance: false,
    is_elsewhere: false,
    kept_count: 0,
    conflict_count: 1,
    items_max: 100,
    value_max: '2500000000',
  },
  ...more,
});

export const suspectScanner = (): Scanner =>
  scannerDevice({
    offline_state: 'suspect',
    offline: {
      last_sync_at: minutesAgo(3),
      suspect_since: minutesAgo(20),
      is_above_allowance: false,
      is_elsewhere: false,
      kept_count: 7,
      conflict_count: 0,
      items_max: 200,
      value_max: '5000000000',
    },
  });

const SCANNERS: readonly Scanner[] = [
  scannerDevice(),
  scannerDevice({
    id: '0192cccc-0000-7000-8000-000000000040',
    name: null,
    label: 'Chrome on Android',
    venue: null,
    is_signed_in: false,
    last_scan_at: null,
    offline_state: null,
  }),
  scannerDevice({
    id: '0192cccc-0000-7000-8000-000000000039',
    name: 'Door',
    is_signed_in: false,
    blocked_at: minutesAgo(3 * DAY_MINUTES),
  }),
];

type Conflict = ConsoleAnswerOf<'conflict'>;

export const CONFLICT_ID = 41;

export const conflict = (more: Partial<Conflict> = {}): Conflict => ({
  id: CONFLICT_ID,
  found_at: minutesAgo(4),
  item: { id: 7_041_122, purchase_id: 7_040_001, title: 'Amber Fizz, 0.33 l' },
  value: '12500000',
  state: 'open',
  refunded_at: null,
  first: {
    redemption_id: 88_120,
    at: minutesAgo(32),
    venue: { id: VENUE_ID, name: 'Harbour Stage' },
    scanner_uuid: SCANNER_UUID,
    device: null,
  },
  second: {
    at: minutesAgo(31),
    venue: { id: 4, name: 'Sky Bar' },
    scanner_uuid: '0192aaaa-0000-7000-8000-0000000000ab',
    device: { id: SCANNER_ID, name: 'Bar 2, left till', label: 'Safari on iOS' },
  },
  customer_uuid: CUSTOMER_UUID,
  resolution: null,
  ...more,
});

/** Refunded at the service desk, and handed out by a bar that did not know of the refund. */
export const refundedConflict = (): Conflict =>
  conflict({
    id: 39,
    item: { id: 7_041_090, purchase_id: 7_040_001, title: 'Harbour tour' },
    refunded_at: minutesAgo(36),
    first: null,
  });

export const resolvedConflict = (): Conflict =>
  conflict({
    state: 'written_off',
    resolution: {
      by: { id: '0192bbbb-0000-7000-8000-000000000001', name: 'Rosa Lind' },
      at: minutesAgo(1),
      reason: 'Both tills were offline, and the guest showed it at each of them.',
    },
  });

const CONFLICTS: readonly Conflict[] = [
  conflict(),
  {
    ...resolvedConflict(),
    id: 40,
    item: { id: 7_041_090, purchase_id: 7_040_001, title: 'Team cap' },
  },
  refundedConflict(),
];

export const venueAnswers: Handlers = {
  scanners: () => listed(SCANNERS),
  scanner: () => scannerDevice(),
  signOutScanner: () => ({ session_count: 1 }),
  clearScanner: () => ({ booked_count: 6, conflict_count: 1, left_count: 0 }),
  conflicts: () => listed(CONFLICTS),
  conflict: () => conflict(),
  resolveConflict: () => conflict(),
  blockScanner: () => ({ session_count: 1 }),
  signOutVenue: () => ({ device_count: 3, session_count: 1 }),
  createEnrolment: () => ({ code: '7KQM4TXB', expires_at: minutesAgo(-15) }),
  venues: () => listed(VENUES),
  venueNames: () => ({ items: VENUES.map(({ id, name }) => ({ id, name })) }),
  venueCounts: ({ query }) => venueCounts(query.has('venue_id') ? { items: countsHere } : {}),
  venue: () => venue(),
  createVenue: () => venue(),
  changeVenue: () => venue(),
  archiveVenue: () => venue({ archived_at: minutesAgo(0), version: 5 }),
  bindVenueStaff: () => venue(),
  unbindVenueStaff: () => venue({ staff: venue().staff.slice(1) }),
  scans: () => ({ ...listed(SCANS), looked_until: null }),
  scan: () => SCANS[0] as Scan,
};
