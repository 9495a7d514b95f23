/** Customers in the waiting period before a lost second step is removed, and the actions of staff (decision 0072). */
import { z } from 'zod';
import { timeText, uuidText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

/** However sure staff are, the owner has this long to stop it after the vote. */
export const RECOVERY_HOURS_MIN = 1;
/** The whole waiting period is 72 hours. */
const RECOVERY_HOURS_MAX = 71;

/** The waiting period, as shown to staff. */
export const recovery = z
  .object({
    begun_at: timeText,
    ends_at: timeText,
    /** Null until the owner is reminded, after 24 hours. */
    reminded_at: timeText.nullable(),
    /** The request to shorten it, if one waits for a vote. */
    approval_id: z.string().nullable(),
  })
  .meta({ id: 'CustomerRecovery' });

const shared = {
  method: 'POST',
  auth: 'console',
  params: z.object({ uuid: uuidText }),
} as const;

export const recoveryCalls = {
  refuseRecovery: {
    ...shared,
    path: '/admin/customers/:uuid/recovery/refuse',
    permission: 'customers.hold',
    audit: { action: 'recovery.refuse', subject: 'customer' },
    summary: 'Keep the second step of a customer: ends the wait for its removal',
    body: z.object({ reason: reasonText }).meta({ id: 'RefuseRecovery' }),
    answer: z.object({ success: z.literal(true) }),
  },
  shortenRecovery: {
    ...shared,
    path: '/admin/customers/:uuid/recovery/shorten',
    permission: 'customers.release',
    proof: true,
    audit: { action: 'recovery.shorten', subject: 'customer' },
    summary: 'Ask that a second step be removed sooner; always by a vote',
    body: z
      .object({
        /** The time for which the owner can stop it after the vote. */
        hours: z.int().min(RECOVERY_HOURS_MIN).max(RECOVERY_HOURS_MAX),
        reason: reasonText,
      })
      .meta({ id: 'ShortenRecovery' }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
