/** Makes redeemed items redeemable again, as after a scan of the wrong code. The scan and its redemption stay as they are. */
import { z } from 'zod';
import type { ApprovalPolicy } from '@athos/contract/approval-policy';
import {
  addMicroAth,
  athHundredths,
  microAth,
  microAthFromHundredths,
  usdOfTokens,
} from '@athos/domain/money';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsers } from '../identity/index.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { markItemsUnredeemed } from '../shop/index.ts';
import { selectVenueIds } from '../staff/index.ts';
import { insertReversal, lockItems, selectItems, selectRedemption } from './reversals.sql.ts';

interface ReverseDeps {
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;

const reversal = z.object({
  redemptionId: z.int(),
  /** In ascending order. */
  itemIds: z.array(z.int()),
  /** Whether the requester works at venues rather than with customers. */
  isVenueStaff: z.boolean(),
});
type Reversal = z.output<typeof reversal>;

/**
 * Reads the redemption and its items. Throws `not_found`, and `not_reversible` unless it redeemed all of them and they are still
 * redeemed.
 */
async function readReversible(tx: Tx, { redemptionId, itemIds }: Reversal) {
  const redemption = await selectRedemption(tx, redemptionId);
  const items = await selectItems(tx, itemIds);
  const [first] = items;
  if (redemption === undefined || first === undefined || first.closedAt !== null) {
    throw new AppError('not_found');
  }
  if (items.some(({ voidedAt }) => voidedAt !== null)) {
    throw new AppError('not_reversible', { detail: 'An item was refunded.' });
  }
  const isWhole = items.length === itemIds.length;
  if (!isWhole || items.some((item) => item.redemptionId !== BigInt(redemptionId))) {
    throw new AppError('not_reversible', {
      detail: 'An item was made redeemable again already, or belongs to another redemption.',
    });
  }
  const { userId, uuid, email } = first;
  return { redemption, items, customer: { userId, uuid, email } };
}

const worthOf = (items: readonly { readonly priceAthHundredths: number }[]) =>
  items.reduce(
    (sum, item) => addMicroAth(sum, microAthFromHundredths(athHundredths(item.priceAthHundredths))),
    microAth(0n),
  );

export const reverseAction: Action<ReverseDeps, Reversal> = {
  name: 'redemption.reverse',
  subjectType: 'redemption',
  permission: 'redemptions.reverse',
  policy: 'reversalPolicy',
  unit: 'ATH',
  payload: reversal,
  async lock(_deps, tx, { payload: { itemIds } }) {
    const [first] = await selectItems(tx, itemIds);
    if (first === undefined) throw new AppError('not_found');
    await lockUsers(tx, [first.userId]);
    await lockItems(tx, itemIds);
  },
  async preview({ clock }, tx, { payload, requestedBy }, policy: ApprovalPolicy) {
    const { redemption, items, customer } = await readReversible(tx, payload);
    const venueIds = await selectVenueIds(tx, requestedBy.staffId);
    const isBound = venueIds.length > 0;
    if (isBound && !venueIds.includes(redemption.venueId)) throw new AppError('not_found');
    // Staff of venues may reverse only very recent redemptions without a vote.
    const freshMs = (policy.venue_minutes_max ?? 0) * MINUTE_MS;
    const isFresh = clock.nowMs() - redemption.redeemedAt.getTime() <= freshMs;
    const isDirect = isFresh || !(isBound || payload.isVenueStaff);
    const units = worthOf(items);
    const rate = await selectCurrentRate(tx);
    const itemIds = items.map(({ id }) => id.toString());
    return {
      subjectId: payload.redemptionId.toString(),
      version: itemIds.join(' '),
      customer,
      amount: { asset: 'ATH', units },
      ...(isDirect && { measured: units }),
      ...(rate !== undefined && { usdCents: usdOfTokens(units, rate) }),
      before: {
        redeemed_items: itemIds,
        redeemed_at: redemption.redeemedAt.toISOString(),
        venue: redemption.venue,
      },
      after: { redeemable_items: itemIds },
    };
  },
  async execute({ clock }, tx, { id, payload }) {
    const { customer } = await readReversible(tx, payload);
    const { redemptionId, itemIds } = payload;
    await insertReversal(tx, {
      redemptionId,
      itemIds,
      approvalId: id,
      holderUserId: customer.userId,
      at: dateOf(clock),
    });
    await markItemsUnredeemed(tx, itemIds);
  },
};
