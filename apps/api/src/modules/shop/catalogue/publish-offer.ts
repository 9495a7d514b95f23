/** Publishing: a draft becomes visible to customers, and a withdrawn offer becomes available again. */
import { z } from 'zod';
import { mayDecide } from '@athos/contract/console/permissions';
import { largestPriceChange } from '@athos/domain/price-windows';
import type { Action } from '../../../capability.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SignedInStaff } from '../../../platform/console/signed-in-staff.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockCatalogue } from './categories.sql.ts';
import { changedFields, requireReferences } from './edit-offer.ts';
import { pricesOf, readOffer, stateOf, type OfferState } from './read-offer.ts';
import { deleteDraft, lockOffer, updateFields } from './staff-offers.sql.ts';

interface PublishDeps {
  readonly clock: Clock;
}

const publication = z.object({
  offerId: z.int(),
  /** Whether the requester may decide on others' requests to publish, so that only a large change of price needs a vote. */
  isDecider: z.boolean(),
});
export type Publication = z.output<typeof publication>;

export const isDecider = ({ grants }: Pick<SignedInStaff, 'grants'>): boolean =>
  mayDecide(grants['catalogue.publish']);

function requirePublishable({ row, draft }: OfferState): void {
  if (row.active && draft === undefined) {
    throw new AppError('offer_state', { detail: 'There are no changes to publish.' });
  }
}

export const publishAction: Action<PublishDeps, Publication> = {
  name: 'offer.publish',
  subjectType: 'offer',
  permission: 'catalogue.publish',
  policy: 'offerPolicy',
  unit: '%',
  payload: publication,
  async lock(_deps, tx, { payload: { offerId } }) {
    // Locked so that the category cannot be archived in the meantime.
    await lockCatalogue(tx);
    if (!(await lockOffer(tx, offerId))) throw new AppError('not_found');
  },
  async preview({ clock }, tx, { payload }) {
    const offer = await readOffer(tx, payload.offerId);
    requirePublishable(offer);
    const { row, fields } = offer;
    const after = offer.draft ?? fields;
    await requireReferences(tx, after);
    const nowMs = clock.nowMs();
    const difference = changedFields(fields, after);
    const state = stateOf(row, nowMs);
    return {
      subjectId: `${payload.offerId}`,
      version: `${row.version}`,
      ...(payload.isDecider && {
        measured: row.is_draft ? 0n : largestPriceChange(pricesOf(fields), pricesOf(after), nowMs),
      }),
      before: row.is_draft ? null : { title: row.title, state, ...difference.before },
      after: row.is_draft
        ? after
        : {
            title: row.title,
            state: stateOf({ ...row, active: true }, nowMs),
            ...difference.after,
          },
    };
  },
  async execute(_deps, tx, { payload: { offerId } }) {
    const { fields, draft } = await readOffer(tx, offerId);
    await updateFields(tx, offerId, { fields: draft ?? fields, active: true, is_draft: false });
    await deleteDraft(tx, offerId);
  },
};
