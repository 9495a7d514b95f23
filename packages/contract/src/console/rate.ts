/** The exchange rate: the current one, its guard rails, and rates published manually by staff. */
import { z } from 'zod';
import { parseRate } from '@athos/domain/money';
import { acceptedAnswer, timeText, uuidParam } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

export const RATE_SOURCES = ['fixed', 'walk', 'url', 'console'] as const;

/** The ranges of the series, each up to now. */
export const RATE_RANGES = ['hour', 'day', 'week', 'month', 'quarter'] as const;
export type RateRangeName = (typeof RATE_RANGES)[number];

const rateInput = z
  .string()
  .max(20)
  .refine((text) => parseRate(text) !== undefined, {
    error: 'must be a positive number of US dollars per ATH with at most 8 decimals',
  });

export const rateCalls = {
  rateNow: {
    method: 'GET',
    path: '/admin/rate',
    auth: 'console',
    permission: 'rate.read',
    summary: 'The rate in force, its source and schedule, and its guard rails',
    answer: z.object({
      current: z
        .object({
          usd_per_ath: z.string(),
          in_force_from: timeText,
          /** The time when the source last confirmed it. */
          confirmed_at: timeText,
          /** Staff approved it by vote although it breaks a guard rail. */
          is_by_vote: z.boolean(),
        })
        .nullable(),
      /** Nobody can buy, because the source has not confirmed the rate for too long. */
      is_too_old: z.boolean(),
      max_age_seconds: z.int(),
      source: z.object({
        kind: z.enum(RATE_SOURCES),
        /** The host of the rate source. */
        host: z.string().nullable(),
      }),
      guard_rails: z.object({
        lowest: z.string(),
        highest: z.string(),
        step_percent_max: z.int(),
        hour_percent_max: z.int(),
        day_percent_max: z.int(),
      }),
      schedule: z.array(
        z.object({
          id: z.string(),
          usd_per_ath: z.string(),
          in_force_from: timeText,
          is_by_vote: z.boolean(),
        }),
      ),
      /** A rate that broke a guard rail and waits for a decision. */
      refused: z
        .object({ approval_id: z.string(), usd_per_ath: z.string(), requested_at: timeText })
        .nullable(),
    }),
  },
  rateSeries: {
    method: 'GET',
    path: '/admin/rate/series',
    auth: 'console',
    permission: 'rate.read',
    summary: 'The rate at evenly spaced moments up to now',
    query: z.object({ range: z.enum(RATE_RANGES).default('day') }),
    answer: z.object({
      items: z.array(
        z
          .object({
            at: timeText,
            /** Null before the first stored rate. */
            usd_per_ath: z.string().nullable(),
          })
          .meta({ id: 'RateAt' }),
      ),
    }),
  },
  scheduleRate: {
    method: 'POST',
    path: '/admin/rate/schedule',
    auth: 'console',
    permission: 'rate.set',
    proof: true,
    audit: { action: 'rate.schedule', subject: 'rate' },
    summary: 'Publish a rate at a later time',
    body: z
      .object({ usd_per_ath: rateInput, in_force_from: timeText, reason: reasonText })
      .meta({ id: 'ScheduleRate' }),
    answer: policyOutcome({}),
  },
  cancelRate: {
    method: 'POST',
    path: '/admin/rate/schedule/:id/cancel',
    auth: 'console',
    permission: 'rate.set',
    proof: true,
    audit: { action: 'rate.cancel', subject: 'rate' },
    summary: 'Take a rate that waits for its time off the schedule',
    params: uuidParam,
    body: z.object({ reason: reasonText }).meta({ id: 'CancelRate' }),
    answer: acceptedAnswer,
  },
} as const satisfies ConsoleCalls;
