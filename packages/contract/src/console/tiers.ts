/** The tiers, which staff change together: the order of each follows from the thresholds of all. */
import { z } from 'zod';
import { TIER_COUNT_MAX, TIER_NOTE_LENGTH_MAX, TIER_TITLE_LENGTH_MAX } from '@athos/domain/tiers';
import { tier } from '../goods.ts';
import { smallId, timeText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

/** The amounts of two sets of tiers, and 0. */
const AMOUNTS_MAX = 2 * TIER_COUNT_MAX + 1;

/** A threshold in micro-units, with at most two decimals of an ATH, as amounts are shown. */
const threshold = z
  .string()
  .regex(/^[1-9]\d{0,10}0{4}$/, 'must be above 0, with at most two decimals');

const tierInput = z.object({
  /** Null for a new tier. Offers and campaigns refer to a tier by its id. */
  id: smallId.nullable(),
  title: z.string().trim().min(1, 'must not be empty').max(TIER_TITLE_LENGTH_MAX),
  amount: threshold,
  color: z.string().regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #d9a935'),
  note: z.string().trim().max(TIER_NOTE_LENGTH_MAX),
});
export type TierInput = z.output<typeof tierInput>;

function* faultsIn(tiers: readonly TierInput[]): Iterable<{ path: string; message: string }> {
  const [titles, ids] = [new Set<string>(), new Set<number>()];
  for (const [index, { id, title, amount }] of tiers.entries()) {
    const below = tiers[index - 1]?.amount;
    if (below !== undefined && BigInt(amount) <= BigInt(below)) {
      yield { path: `${index}/amount`, message: 'must be above the threshold of the tier below' };
    }
    if (titles.has(title)) yield { path: `${index}/title`, message: 'must differ from the others' };
    if (id !== null && ids.has(id)) yield { path: `${index}/id`, message: 'must not be repeated' };
    titles.add(title);
    if (id !== null) ids.add(id);
  }
}

const ladder = z
  .array(tierInput)
  .max(TIER_COUNT_MAX)
  .superRefine((tiers, context) => {
    for (const { path, message } of faultsIn(tiers)) {
      const [index = '', field = ''] = path.split('/');
      context.addIssue({ code: 'custom', path: [parseInt(index, 10), field], message });
    }
  });

export const tierCalls = {
  consoleTiers: {
    method: 'GET',
    path: '/admin/tiers',
    auth: 'console',
    permission: 'catalogue.read',
    versioned: true,
    summary: 'The tiers, the lowest first',
    answer: z
      .object({
        version: z.int(),
        items: z.array(
          tier.extend({
            /** The offers that refer to it, which prevent its removal. */
            offer_count: z.int(),
            campaign_count: z.int(),
          }),
        ),
        /** The request to change them, if one waits for a vote. */
        request_id: z.string().nullable(),
      })
      .meta({ id: 'ConsoleTiers' }),
  },
  tierHolders: {
    method: 'GET',
    path: '/admin/tiers/holders',
    auth: 'console',
    permission: 'reports.money',
    summary: 'How many customers hold these amounts of ATH or more, as of last night',
    query: z.object({
      /** Micro-units in the form `0,100000000`. */
      amounts: z
        .string()
        .regex(
          new RegExp(`^\\d{1,16}(,\\d{1,16}){0,${AMOUNTS_MAX - 1}}$`),
          `must be up to ${AMOUNTS_MAX} amounts with commas between them`,
        ),
    }),
    answer: z.object({
      /** Null until the first count; there are no items then. */
      counted_at: timeText.nullable(),
      items: z.array(
        z
          .object({
            amount: z.string(),
            count: z.int(),
            /** Balances are counted in buckets of three significant digits; within one, an even distribution is assumed. */
            is_exact: z.boolean(),
          })
          .meta({ id: 'TierHolders' }),
      ),
    }),
  },
  changeTiers: {
    method: 'POST',
    path: '/admin/tiers',
    auth: 'console',
    permission: 'tiers.edit',
    versioned: true,
    proof: true,
    audit: { action: 'tiers.change', subject: 'tiers' },
    summary: 'Request other tiers: all of them, the lowest first',
    body: z.object({ tiers: ladder, reason: reasonText }).meta({ id: 'ChangeTiers' }),
    answer: policyOutcome({ version: z.int() }),
  },
} as const satisfies ConsoleCalls;
