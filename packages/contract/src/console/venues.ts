/** Venues, the staff bound to them, and scans there. Staff who are bound to venues see only these. */
import { z } from 'zod';
import { SCAN_OUTCOMES } from '../scanner/calls.ts';
import { historyIdParam, smallId, smallIdParam, timeText, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

const NAME_LENGTH_MAX = 80;
const ADDRESS_LENGTH_MAX = 200;
const HOURS_LENGTH_MAX = 500;

/** No line breaks, because names and addresses are shown on one line of the scanner. */
export const lineOf = (lengthMax: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line');

const venueFields = {
  name: lineOf(NAME_LENGTH_MAX),
  address: lineOf(ADDRESS_LENGTH_MAX),
  hours: z.string().trim().max(HOURS_LENGTH_MAX),
};

const summary = {
  id: z.int(),
  name: z.string(),
  address: z.string(),
  archived_at: timeText.nullable(),
  staff_count: z.int(),
};

const venue = z
  .object({
    ...summary,
    hours: z.string(),
    version: z.int(),
    staff: z.array(
      z.object({
        uuid: z.string(),
        /** Masked. */
        email: z.string(),
        bound_at: timeText,
        /** At any venue. */
        last_scan_at: timeText.nullable(),
      }),
    ),
    /** Offers on sale that can be redeemed here. At most 100. */
    offers: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        /** Can be redeemed at every venue. */
        is_everywhere: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ConsoleVenue' });

const counts = {
  /** Attempts of both kinds, with this outcome. */
  attempts: z.int(),
  redeemed_items: z.int(),
};

const scan = z
  .object({
    id: z.int(),
    at: timeText,
    action: z.enum(['scan', 'redeem']),
    outcome: z.enum(SCAN_OUTCOMES),
    /** Null if the request named no existing venue. */
    venue: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** The wallet account of the member of staff who scanned. */
    scanner_uuid: z.string(),
    /** The holder of the code; null for an unreadable code, and after the account was deleted. */
    customer_uuid: z.string().nullable(),
    item_count: z.int(),
    redeemed_count: z.int(),
    titles: z.array(z.string()),
  })
  .meta({ id: 'ConsoleScan' });

const dateTime = z.iso.datetime({ offset: true });

export const scanFilters = {
  venue_id: z.coerce.number().pipe(smallId).optional(),
  scanner_uuid: uuidText.optional(),
  customer_uuid: uuidText.optional(),
  action: z.enum(['scan', 'redeem']).optional(),
  /** `refused` stands for every outcome but `ok`. */
  outcome: z.enum(['refused', ...SCAN_OUTCOMES]).optional(),
  from: dateTime.optional(),
  /** Exclusive. */
  to: dateTime.optional(),
};

export const venueCalls = {
  venues: {
    method: 'GET',
    path: '/admin/venues',
    auth: 'console',
    permission: 'scans.read',
    summary: 'Venues by name',
    query: z.object({ ...pageQuery, state: z.enum(['open', 'archived']).optional() }),
    answer: listOf(z.object(summary).meta({ id: 'ConsoleVenueSummary' })),
  },
  venueCounts: {
    method: 'GET',
    path: '/admin/venue-counts',
    auth: 'console',
    permission: 'scans.read',
    summary: 'What was scanned today and within the last hour, by venue and outcome',
    query: z.object({ venue_id: z.coerce.number().pipe(smallId).optional() }),
    answer: z
      .object({
        /** The beginning of the day in the programme's time zone. */
        day_from: timeText,
        hour_from: timeText,
        /** Events before this time were not counted, because there are too many. Null if everything was counted. */
        counted_from: timeText.nullable(),
        items: z.array(
          z.object({
            venue_id: z.int(),
            outcome: z.enum(SCAN_OUTCOMES),
            day: z.object(counts),
            hour: z.object(counts),
          }),
        ),
      })
      .meta({ id: 'VenueCounts' }),
  },
  venueNames: {
    method: 'GET',
    path: '/admin/venue-names',
    auth: 'console',
    permission: 'scans.read',
    summary: 'All venues by name, for a choice',
    answer: z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })) }),
  },
  venue: {
    method: 'GET',
    path: '/admin/venues/:id',
    auth: 'console',
    permission: 'scans.read',
    versioned: true,
    summary: 'One venue with its staff and the offers that can be redeemed there',
    params: smallIdParam,
    answer: venue,
  },
  createVenue: {
    method: 'POST',
    path: '/admin/venues',
    auth: 'console',
    permission: 'venues.edit',
    audit: { action: 'venue.create', subject: 'venue' },
    summary: 'Add a venue; for staff who see all venues',
    body: z.object(venueFields).meta({ id: 'CreateVenue' }),
    answer: venue,
  },
  changeVenue: {
    method: 'PATCH',
    path: '/admin/venues/:id',
    auth: 'console',
    permission: 'venues.edit',
    versioned: true,
    audit: { action: 'venue.change', subject: 'venue' },
    summary: 'Change what a venue is called, where it is and when it is open',
    params: smallIdParam,
    body: z.object(venueFields).meta({ id: 'ChangeVenue' }),
    answer: venue,
  },
  archiveVenue: {
    method: 'PUT',
    path: '/admin/venues/:id/archived',
    auth: 'console',
    permission: 'venues.edit',
    versioned: true,
    audit: { action: 'venue.archive', subject: 'venue' },
    summary: 'Archive a venue, where nothing is redeemed from the next scan on, or open it again',
    params: smallIdParam,
    body: z.object({ is_archived: z.boolean() }).meta({ id: 'ArchiveVenue' }),
    answer: venue,
  },
  bindVenueStaff: {
    method: 'POST',
    path: '/admin/venues/:id/staff',
    auth: 'console',
    permission: 'venues.edit',
    limit: 'venue_bind',
    audit: { action: 'venue.bind', subject: 'venue' },
    summary: 'Let a customer scan at a venue, by the uuid or the whole e-mail address',
    params: smallIdParam,
    body: z
      .object({ account: z.union([uuidText, z.email().max(254).toLowerCase()]) })
      .meta({ id: 'BindVenueStaff' }),
    answer: venue,
  },
  unbindVenueStaff: {
    method: 'DELETE',
    path: '/admin/venues/:id/staff/:uuid',
    auth: 'console',
    permission: 'venues.edit',
    audit: { action: 'venue.unbind', subject: 'venue' },
    summary: 'End it, with effect on the next scan',
    params: smallIdParam.extend({ uuid: uuidText }),
    answer: venue,
  },
  scans: {
    method: 'GET',
    path: '/admin/scans',
    auth: 'console',
    permission: 'scans.read',
    summary: 'Every attempt to scan or redeem a code, newest first',
    query: z.object({ ...pageQuery, ...scanFilters }),
    answer: listOf(scan).extend({
      /** Set if the page ended early: everything since this time was searched. */
      looked_until: timeText.nullable(),
    }),
  },
  scan: {
    method: 'GET',
    path: '/admin/scans/:id',
    auth: 'console',
    permission: 'scans.read',
    summary: 'One of them',
    params: historyIdParam,
    answer: scan,
  },
} as const satisfies ConsoleCalls;
