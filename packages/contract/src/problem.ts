import { z } from 'zod';
import { CONFIRMED_ACTS } from '@athos/domain/confirmation-rules';
import { BRAKES } from './brakes.ts';
import { ERROR_CODES } from './errors.ts';

/** RFC 9457 problem details with additional members: a stable code, the request's id and the validation errors. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(ERROR_CODES),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
    /** The current rate, in a `rate_expired` problem. */
    exchange_rate: z.number().optional(),
    /** The offer that caused the refusal of a purchase. */
    offer_id: z.int().optional(),
    /** The permission that the caller's roles lack, in a `permission_missing` problem of the console. */
    permission: z.string().optional(),
    /** The current row, in a `version_conflict` problem of the console. */
    present: z.unknown().optional(),
    /** The stopped part of the programme, in a `stopped` problem. Its `detail` is the notice for customers. */
    stopped: z.enum(BRAKES).optional(),
    /** In a `second_factor_required` problem: the challenge to send with the code, and the kinds of codes that are accepted. */
    challenge_id: z.string().optional(),
    methods: z.array(z.enum(['totp', 'recovery_code', 'passkey', 'password'])).optional(),
    /**
     * In a `confirmation_required` problem: the act, the hash with which to request the confirmation, and the effect of the act. `methods`
     * are the accepted proofs.
     */
    action: z.enum(CONFIRMED_ACTS).optional(),
    action_hash: z.string().optional(),
    amount: z.string().optional(),
    asset: z.string().optional(),
    to_uuid: z.string().optional(),
    /** The label of the other phone, and the time since which it shows tickets, in a `ticket_phone_elsewhere` problem. */
    label: z.string().optional(),
    since: z.string().optional(),
    /** The time from which a recovery can be requested, in a `recovery_after_reset` problem. */
    possible_from: z.string().optional(),
    /** When to retry, after a 429 or a 503. Also sent as Retry-After. */
    retry_after_seconds: z.int().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
