import { problem, silence } from '../fake-api.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import {
  SCAN_ID,
  SCANNER_ID,
  CONFLICT_ID,
  refundedConflict,
  resolvedConflict,
  scannerDevice,
  suspectScanner,
  venue,
  VENUE_ID,
  venueCounts,
} from '../samples/console-venues.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure, seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const consoleVenueStates = [
  ...statesOf(
    'console-venues',
    { ...shared, path: '/console/venues' },
    {
      filled: { reach: seen('3 of 3 shown') },
      empty: { answers: { venues: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { venues: silence } },
      failed: { answers: { venues: () => problem('internal_error') }, reach: seeFailure },
      add: {
        async reach(page) {
          await press(page, 'Add a venue');
          await write(page, 'Name', 'Winter Garden');
        },
      },
      reader: {
        answers: { me: () => staffWith(['auditor']) },
        reach: seen(/Needs the permission venues.edit/),
      },
    },
  ),
  ...statesOf(
    'console-venue',
    { ...shared, path: `/console/venues/${VENUE_ID}` },
    {
      filled: { reach: seen('n•••@a•••.example') },
      quiet: {
        answers: {
          venue: () => venue({ staff: [], offers: [], hours: '' }),
          venueCounts: () => venueCounts({ items: [] }),
        },
        reach: seen('Nothing was scanned here today.'),
      },
      archived: {
        answers: { venue: () => venue({ archived_at: '2026-10-01T09:00:00.000Z' }) },
        reach: seen('This venue is archived.'),
      },
      busy: {
        answers: { venueCounts: () => venueCounts({ counted_from: '2026-11-21T10:12:00.000Z' }) },
        reach: seen(/Counted since/),
      },
      unbind: {
        async reach(page) {
          await press(page, 'Remove n•••@a•••.example');
          await see(page, /can no longer scan at Harbour Stage/);
        },
      },
      conflict: {
        answers: {
          changeVenue: () =>
            problem('version_conflict', { present: venue({ name: 'Harbour Hall', version: 5 }) }),
        },
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Edit' }).click();
          await press(page, 'Save');
          await see(page, /Harbour Hall/);
        },
      },
      missing: {
        answers: { venue: () => problem('not_found') },
        reach: seeMissing,
      },
    },
  ),
  ...statesOf(
    'console-scanners',
    { ...shared, path: '/console/scanners' },
    {
      filled: { reach: seen('3 of 3 shown') },
      empty: { answers: { scanners: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { scanners: silence } },
      failed: { answers: { scanners: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-scanner',
    { ...shared, path: `/console/scanners/${SCANNER_ID}` },
    {
      filled: { reach: seen('index-DkPbY2xQ') },
      blocked: {
        answers: {
          scanner: () =>
            scannerDevice({ is_signed_in: false, blocked_at: '2026-11-20T20:00:00.000Z' }),
        },
        reach: seen('Blocked'),
      },
      suspect: {
        answers: { scanner: suspectScanner },
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Review and clear' }).click();
          await see(page, /7 waiting/);
        },
      },
    },
  ),
  ...statesOf(
    'console-conflicts',
    { ...shared, path: '/console/conflicts' },
    {
      filled: { reach: seen('3 of 3 shown') },
      empty: { answers: { conflicts: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { conflicts: silence } },
      failed: { answers: { conflicts: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-conflict',
    { ...shared, path: `/console/conflicts/${CONFLICT_ID}` },
    {
      filled: { reach: seen('Handed out twice') },
      resolved: { answers: { conflict: resolvedConflict }, reach: seen(/showed it at each/) },
      refunded: { answers: { conflict: refundedConflict }, reach: seen(/after its refund/) },
      resolve: {
        async reach(page) {
          await press(page, 'Decide');
          await see(page, /Nobody is charged/);
        },
      },
      missing: { answers: { conflict: () => problem('not_found') }, reach: seeMissing },
    },
  ),
  ...statesOf(
    'console-venue-code',
    { ...shared, path: `/console/venues/${VENUE_ID}` },
    {
      made: {
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Enrol a scanner' }).click();
          await write(page, 'Name of the device', 'Bar 3');
          await press(page, 'Make a code');
          await see(page, /7KQM4TXB/);
        },
      },
    },
  ),
  ...statesOf(
    'console-scans',
    { ...shared, path: '/console/scans' },
    {
      filled: { reach: seen('5 of 5 shown') },
      empty: {
        answers: { scans: () => ({ ...emptyList(), looked_until: null }) },
        reach: seen('Nothing yet'),
      },
      loading: { answers: { scans: silence } },
      failed: { answers: { scans: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-scan',
    { ...shared, path: `/console/scans/${SCAN_ID}` },
    {
      filled: { reach: seen('2 / 3') },
      missing: {
        answers: { scan: () => problem('not_found') },
        reach: seeMissing,
      },
    },
  ),
];
