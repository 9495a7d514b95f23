/** Saving an offer. Customers see a change only after it is published. */
import type { OfferFields } from '@athos/contract/console/offer-fields';
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import { requireVersion } from '../../../platform/console/versions.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  fieldFault,
  requireCategory,
  requireMerchant,
  requirePicture,
  requireTier,
} from './references.ts';
import { presentOffer, readOffer, type OfferState } from './read-offer.ts';
import {
  deleteDraft,
  lockOffer,
  updateFields,
  updateOffer,
  upsertDraft,
} from './staff-offers.sql.ts';

interface EditDeps {
  readonly clock: Clock;
}

interface Edited {
  readonly id: number;
  readonly version: number;
}

/** The fields that differ. */
export function changedFields(before: OfferFields, after: OfferFields) {
  const names = Object.keys(after) as (keyof OfferFields)[];
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (fields: OfferFields): Partial<OfferFields> =>
    Object.fromEntries(changed.map((name) => [name, fields[name]]));
  return { before: pick(before), after: pick(after), isNone: changed.length === 0 };
}

/** Throws `invalid_request`, with the name of the field whose reference does not exist. */
export async function requireReferences(tx: Tx, fields: OfferFields): Promise<void> {
  await requireCategory(tx, fields.category_id);
  await requirePicture(tx, fields.picture_id);
  await requireTier(tx, fields.tier_id_min);
  await requireMerchant(tx, fields.merchant_id);
}

/** Locks the offer. Throws `not_found`, and `version_conflict` with the current offer. */
export async function lockVersion(
  deps: EditDeps,
  tx: Tx,
  { id, version }: Edited,
): Promise<OfferState> {
  if (!(await lockOffer(tx, id))) throw new AppError('not_found');
  const offer = await readOffer(tx, id);
  if (offer.row.version !== version) requireVersion(version, await presentOffer(deps, tx, id));
  return offer;
}

/** The reason why the kind cannot be changed: purchases keep the kind under which they were sold, and a tip has no price and no stock. */
export function kindFault(
  { row, fields }: OfferState,
  kind: OfferFields['kind'],
): string | undefined {
  if (!row.is_draft && kind !== fields.kind)
    return 'The kind of an offer that was published stays.';
  const isStocked = kind === OFFER_KINDS.Tip && row.stock_left !== null;
  return isStocked ? 'A tip has no stock: end its limit first.' : undefined;
}

/** Saves the fields, as a draft if the offer is published, and otherwise in place. Returns the changed fields. */
export async function saveOffer(
  deps: EditDeps,
  tx: Tx,
  { id, version, fields, staffId }: Edited & { fields: OfferFields; staffId: string },
) {
  const offer = await lockVersion(deps, tx, { id, version });
  const kind = kindFault(offer, fields.kind);
  if (kind !== undefined) throw fieldFault('/kind', kind);
  await requireReferences(tx, fields);
  const { before, after } = changedFields(offer.draft ?? offer.fields, fields);
  if (offer.row.is_draft) {
    await updateFields(tx, id, { fields });
  } else {
    const isAsPublished = changedFields(offer.fields, fields).isNone;
    if (isAsPublished) await deleteDraft(tx, id);
    else await upsertDraft(tx, { offerId: id, fields, savedBy: staffId, at: dateOf(deps.clock) });
    await updateOffer(tx, id);
  }
  return { before, after };
}

/** Throws `offer_state` if there is no draft. */
export async function discardDraft(deps: EditDeps, tx: Tx, edited: Edited) {
  const { draft, fields } = await lockVersion(deps, tx, edited);
  if (draft === undefined) {
    throw new AppError('offer_state', { detail: 'There are no changes to discard.' });
  }
  await deleteDraft(tx, edited.id);
  await updateOffer(tx, edited.id);
  return changedFields(draft, fields);
}

/** Takes the offer off sale. Throws `offer_state` unless it is published and not withdrawn. */
export async function withdrawOffer(deps: EditDeps, tx: Tx, edited: Edited): Promise<void> {
  const { row } = await lockVersion(deps, tx, edited);
  if (!row.active) {
    throw new AppError('offer_state', { detail: 'The offer is not on sale.' });
  }
  await updateOffer(tx, edited.id, { active: false });
}
