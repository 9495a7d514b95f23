/** Looking up a reward code, and the accounts and network addresses that tried too many wrong ones. */
import { z } from 'zod';
import { timeText, unitsText } from '../values.ts';
import { reasonText } from './approvals.ts';
import { BATCH_STATES } from './batches.ts';
import { CAMPAIGN_STATES } from './campaigns.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

/** Longer than any spelling of a code or its link. */
const TYPED_LENGTH_MAX = 300;
export const SHOWN_CLAIMS_MAX = 50;

/** The result that a claim of the code would have now, apart from limits of the claiming account. */
export const CODE_STATES = ['open', 'not_running', 'void', 'expired', 'used_up'] as const;
export type CodeState = (typeof CODE_STATES)[number];

const foundCode = z
  .object({
    state: z.enum(CODE_STATES),
    campaign: z.object({ id: z.int(), title: z.string(), state: z.enum(CAMPAIGN_STATES) }),
    /** Null for a code that was created together with its campaign. */
    batch: z.object({ id: z.string(), label: z.string(), state: z.enum(BATCH_STATES) }).nullable(),
    uses: z.int(),
    claim_count: z.int(),
    expires_at: timeText.nullable(),
    /** The newest claims. */
    claims: z.array(
      z.object({ customer_uuid: z.string(), claimed_at: timeText, amount: unitsText }),
    ),
  })
  .meta({ id: 'FoundCode' });

const lockOut = z
  .object({
    id: z.int(),
    kind: z.enum(['account', 'place']),
    customer_uuid: z.string().nullable(),
    /** The network address, such as 203.0.113.7 or an IPv6 /64. */
    place: z.string().nullable(),
    locked_at: timeText,
    ends_at: timeText,
  })
  .meta({ id: 'LockOut' });

export const codeCalls = {
  /** A POST, so that no address contains a code. */
  lookUpCode: {
    method: 'POST',
    path: '/admin/codes/look-up',
    auth: 'console',
    permission: 'codes.look_up',
    limit: 'code_look_up',
    audit: { action: 'code.look_up', subject: 'campaign' },
    summary: 'The batch, state and claims of a code, as it was typed or scanned',
    body: z.object({ code: z.string().max(TYPED_LENGTH_MAX) }).meta({ id: 'LookUpCode' }),
    answer: z.object({
      /** Whether the text is a code at all, with a valid check symbol. */
      is_code: z.boolean(),
      /** Null if the code belongs to no campaign. */
      found: foundCode.nullable(),
    }),
  },
  lockOuts: {
    method: 'GET',
    path: '/admin/codes/lock-outs',
    auth: 'console',
    permission: 'codes.look_up',
    summary: 'Accounts and network places that may try no code for now, newest first',
    query: z.object(pageQuery),
    answer: listOf(lockOut),
  },
  releaseLockOut: {
    method: 'POST',
    path: '/admin/codes/lock-outs/:id/release',
    auth: 'console',
    permission: 'codes.look_up',
    audit: { action: 'lock_out.release', subject: 'lock_out' },
    summary: 'Let an account or a place try codes again',
    params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
    body: z.object({ reason: reasonText }).meta({ id: 'ReleaseLockOut' }),
    answer: z.object({ released: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
