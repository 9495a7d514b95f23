/** The devices with which venue staff scan. Staff who are bound to venues see only devices of these venues. */
import { z } from 'zod';
import { OFFLINE_DEVICE_STATES } from '../scanner/offline.ts';
import { smallId, smallIdParam, timeText, unitsText, uuidParam } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { lineOf } from './venues.ts';

const NAME_LENGTH_MAX = 60;

const scanner = z
  .object({
    id: z.string(),
    /** Assigned by its enrolment. */
    name: z.string().nullable(),
    /** Browser and system. */
    label: z.string(),
    /** Assigned by its enrolment. */
    venue: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** The wallet account that signed in there last; null after the account was deleted. */
    user_uuid: z.string().nullable(),
    app_version: z.string().nullable(),
    first_seen_at: timeText,
    /** Rounded to the minute. */
    last_seen_at: timeText,
    /** Rounded to the minute. */
    last_scan_at: timeText.nullable(),
    is_signed_in: z.boolean(),
    blocked_at: timeText.nullable(),
    /** Whether it may redeem without a network; null without a key. */
    offline_state: z.enum(OFFLINE_DEVICE_STATES).nullable(),
  })
  .meta({ id: 'ScannerDevice' });

/** The redemptions that it made without a network. */
const offlineFacts = z.object({
  last_sync_at: timeText.nullable(),
  suspect_since: timeText.nullable(),
  /** Suspect because it redeemed more than its allowance; its reported entries are booked. */
  is_above_allowance: z.boolean(),
  /** Suspect because it redeemed offers of other venues; its reported entries are booked. */
  is_elsewhere: z.boolean(),
  /** The number of entries that wait for a person to book or reject them. */
  kept_count: z.int(),
  /** The number in the last 7 days. */
  conflict_count: z.int(),
  items_max: z.int(),
  value_max: unitsText,
});

/** The number of ended sessions. */
const ended = z.object({ session_count: z.int() });

export const scannerDeviceCalls = {
  scanners: {
    method: 'GET',
    path: '/admin/scanners',
    auth: 'console',
    permission: 'scans.read',
    summary: 'Devices that scan, newest first',
    query: z.object({
      ...pageQuery,
      /** Devices enrolled at the venue, or used by a person who is bound to it. */
      venue_id: z.coerce.number().pipe(smallId).optional(),
      state: z.enum(['signed_in', 'signed_out', 'blocked', 'suspect']).optional(),
    }),
    answer: listOf(scanner),
  },
  scanner: {
    method: 'GET',
    path: '/admin/scanners/:id',
    auth: 'console',
    permission: 'scans.read',
    summary: 'One of them',
    params: uuidParam,
    answer: scanner
      .extend({ offline: offlineFacts.nullable() })
      .meta({ id: 'ScannerDeviceDetail' }),
  },
  signOutScanner: {
    method: 'POST',
    path: '/admin/scanners/:id/sign-out',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'scanner.sign_out', subject: 'scanner' },
    summary: 'End the sessions of a device at once',
    params: uuidParam,
    answer: ended,
  },
  blockScanner: {
    method: 'PUT',
    path: '/admin/scanners/:id/blocked',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'scanner.block', subject: 'scanner' },
    summary: 'Sign a device out and let nobody scan with it, or allow it again',
    params: uuidParam,
    body: z.object({ is_blocked: z.boolean() }).meta({ id: 'BlockScanner' }),
    answer: ended,
  },
  signOutVenue: {
    method: 'POST',
    path: '/admin/venues/:id/sign-out',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'scanner.sign_out_venue', subject: 'venue' },
    summary: 'Sign out, or block, every device of a venue and of its staff',
    params: smallIdParam,
    body: z.object({ is_blocked: z.boolean() }).meta({ id: 'SignOutVenue' }),
    answer: ended.extend({ device_count: z.int() }),
  },
  createEnrolment: {
    method: 'POST',
    path: '/admin/venues/:id/enrolments',
    auth: 'console',
    permission: 'scanners.manage',
    audit: { action: 'scanner.enrolment', subject: 'venue' },
    summary: 'Make a code that gives one device its name and venue, within 15 minutes',
    params: smallIdParam,
    body: z.object({ name: lineOf(NAME_LENGTH_MAX) }).meta({ id: 'CreateEnrolment' }),
    answer: z.object({ code: z.string(), expires_at: timeText }),
  },
} as const satisfies ConsoleCalls;
