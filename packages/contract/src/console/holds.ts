/** Holds block some actions of a customer. Customers see the refusals, never the reasons. */
import { z } from 'zod';
import { timeText, uuidText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

/** The actions that a hold can block. The ledger enforces `send`, `spend` and `receive`; the others are checked where they happen. */
export const HOLD_KINDS = ['sign_in', 'send', 'receive', 'spend', 'top_up', 'redeem'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** The cause of a hold: staff, or a dispute, a fraud warning or a debt, each of which lifts only its own holds. */
export const HOLD_CAUSES = ['staff', 'dispute', 'warning', 'debt'] as const;
export type HoldCauseKind = (typeof HOLD_CAUSES)[number];

/** The blocked actions, and the end of the hold. */
export const holdBody = {
  kinds: z
    .array(z.enum(HOLD_KINDS))
    .min(1)
    .max(HOLD_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'must not name a kind twice'),
  ends_at: z.iso.datetime({ offset: true }).optional(),
};

const HOLD_ID_MAX = Number.MAX_SAFE_INTEGER;
const staffName = z.object({ id: z.string(), name: z.string() }).nullable();

const hold = z
  .object({
    id: z.int(),
    kinds: z.array(z.enum(HOLD_KINDS)),
    cause: z.enum(HOLD_CAUSES),
    /** The dispute, warning or debt. */
    cause_id: z.string(),
    reason: z.string(),
    placed_at: timeText,
    /** `null` if the programme placed it. */
    placed_by: staffName,
    /** The time at which it is lifted automatically. */
    ends_at: timeText.nullable(),
    /** `null` while it is active. */
    lifted_at: timeText.nullable(),
    /** `null` while it is active, and if it was lifted automatically. */
    lifted_by: staffName,
  })
  .meta({ id: 'Hold' });

/** Active and lifted holds of the customer, newest first. */
const holdsAnswer = z.object({ items: z.array(hold) });
const customerParam = z.object({ uuid: uuidText });

export const holdCalls = {
  customerHolds: {
    method: 'GET',
    path: '/admin/customers/:uuid/holds',
    auth: 'console',
    permission: 'customers.read',
    summary: 'The holds on a customer',
    params: customerParam,
    answer: holdsAnswer,
  },
  placeHold: {
    method: 'POST',
    path: '/admin/customers/:uuid/holds',
    auth: 'console',
    permission: 'customers.hold',
    audit: { action: 'hold.place', subject: 'customer' },
    summary: 'Stop what a customer may do, at once',
    params: customerParam,
    body: z.object({ ...holdBody, reason: reasonText }),
    answer: holdsAnswer,
  },
  releaseHold: {
    method: 'POST',
    path: '/admin/customers/:uuid/holds/:id/release',
    auth: 'console',
    permission: 'customers.release',
    audit: { action: 'hold.release', subject: 'customer' },
    summary: 'Lift a hold: one by staff at once, one of a dispute or warning by a vote',
    params: customerParam.extend({ id: z.coerce.number().int().positive().max(HOLD_ID_MAX) }),
    body: z.object({ reason: reasonText }),
    answer: policyOutcome({}),
  },
} as const satisfies ConsoleCalls;
