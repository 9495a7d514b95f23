/** Changing the tiers takes a vote of the other organisation: customers who fall below a raised threshold lose what the brand promised them. */
import { z } from 'zod';
import { brand, mainToken } from '@athos/brand/brand';
import { isReadableGround } from '@athos/domain/colour';
import { formatAthExact, microAth, parseUnits } from '@athos/domain/money';
import { tierBounds, tierShifts } from '@athos/domain/tiers';
import type { Action } from '../../../capability.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { fieldFault } from '../catalogue/references.ts';
import { selectHolders } from './holders.sql.ts';
import {
  lockLadder,
  replaceTiers,
  selectLadder,
  selectTiers,
  selectTierUse,
  type Tier,
} from './tiers.sql.ts';

/** All tiers are one subject, with this id. */
export const ALL_TIERS = 'all';

const wanted = z.object({
  /** In ascending order, with thresholds in micro-units. */
  tiers: z.array(
    z.object({
      id: z.int().nullable(),
      title: z.string(),
      amount: z.string(),
      color: z.string(),
      note: z.string(),
    }),
  ),
});
export type WantedTiers = z.output<typeof wanted>;
type NewTier = Omit<Tier, 'id'> & { readonly id: number | null };

const tiersOf = ({ tiers }: WantedTiers): NewTier[] =>
  tiers.map(({ amount, ...tier }) => ({ ...tier, amountMicroAth: microAth(parseUnits(amount)) }));

/** Throws `invalid_request` with the name of the tier that is not possible. */
async function requirePossible(
  tx: Tx,
  before: readonly Tier[],
  after: readonly NewTier[],
): Promise<void> {
  for (const [index, { id, color }] of after.entries()) {
    if (id !== null && !before.some((tier) => tier.id === id)) {
      throw fieldFault(`/tiers/${index}/id`, 'There is no such tier.');
    }
    if (!isReadableGround(color, brand.colours.card)) {
      const message = 'Neither dark nor light text can be read on this colour.';
      throw fieldFault(`/tiers/${index}/color`, message);
    }
  }
  const use = await selectTierUse(tx);
  const named = before.find(({ id }) => use.has(id) && !after.some((tier) => tier.id === id));
  if (named !== undefined) {
    throw fieldFault('/tiers', `${named.title} is named by an offer or a campaign.`);
  }
}

/** One line for each tier, under a name that does not change with the tier's title. */
const linesOf = (tiers: readonly NewTier[]): [string, unknown][] =>
  tiers.map(({ id, title, amountMicroAth, color, note }, index) => [
    id === null ? `new_${index + 1}` : `tier_${id}`,
    [title, `${formatAthExact(amountMicroAth)} ${mainToken.symbol}`, color, note],
  ]);

/** The number of holders of each tier before and after the change, as far as they have been counted. */
async function holdersOf(tx: Tx, before: readonly Tier[], after: readonly NewTier[]) {
  const { counted_at: countedAt } = await selectLadder(tx);
  if (countedAt === null) return undefined;
  const found = await selectHolders(tx, tierBounds(before, after));
  const counts = new Map(found.map(({ amount, count }) => [amount, count]));
  const shifts = tierShifts(before, after, (amount) => counts.get(amount) ?? 0);
  const holdersBy = (side: 'before' | 'after', tiers: readonly NewTier[]): string[] =>
    tiers.map((tier) => {
      const own = shifts.filter((shift) => shift[side] === tier);
      return `${tier.title}: ${own.reduce((sum, { holderCount }) => sum + holderCount, 0)}`;
    });
  return { before: holdersBy('before', before), after: holdersBy('after', after) };
}

export const changeTiersAction: Action<unknown, WantedTiers> = {
  name: 'tiers.change',
  subjectType: 'tiers',
  permission: 'tiers.edit',
  policy: 'tierPolicy',
  unit: 'ATH',
  payload: wanted,
  lock: (_deps, tx) => lockLadder(tx),
  async preview(_deps, tx, { payload }) {
    const before = (await selectTiers(tx)).toReversed();
    const after = tiersOf(payload);
    if (JSON.stringify(linesOf(before)) === JSON.stringify(linesOf(after))) {
      throw fieldFault('/tiers', 'Nothing is changed.');
    }
    await requirePossible(tx, before, after);
    const { version } = await selectLadder(tx);
    const holders = await holdersOf(tx, before, after);
    return {
      subjectId: ALL_TIERS,
      version: `${version}`,
      before: { ...Object.fromEntries(linesOf(before)), holders: holders?.before },
      after: { ...Object.fromEntries(linesOf(after)), holders: holders?.after },
    };
  },
  execute: (_deps, tx, { payload }) => replaceTiers(tx, tiersOf(payload)),
};
