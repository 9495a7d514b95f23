/** Builds the rows of the demo's catalogue from its drafts. */
import type { Insertable } from 'kysely';
import type { Tables } from '../platform/database/database.ts';
import { invariant } from '../platform/errors.ts';
import { imageOf } from '../platform/storage/stored-picture.ts';
import { demoCategories, type CategoryDraft } from './demo-categories.ts';
import { demoGoods } from './demo-goods.ts';
import { demoNights } from './demo-nights.ts';
import type { OfferDraft, OfferDrafts } from './offer-draft.ts';

/** The ids of a category's offers start at a hundred times its id. */
const OFFERS_PER_CATEGORY_MAX = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

const demoOffers: OfferDrafts = { ...demoGoods, ...demoNights };

interface VenueDraft {
  readonly name: string;
  readonly address: string;
  /** Whether the demo's scanner user is staff there. */
  readonly hasStaff: boolean;
}

/** One venue has no staff, so that the refusal of its items at another venue can be demonstrated. */
export const demoVenues: readonly VenueDraft[] = [
  { name: 'Harbour Bar', address: '12 Harbour Row', hasStaff: true },
  { name: 'The Long Room', address: '3 Mill Yard', hasStaff: true },
  { name: 'Northside Circuit', address: 'Gate 4, Northside', hasStaff: false },
];

/** Ids that drafts refer to by slug or by index. */
export interface CatalogueContext {
  readonly nowMs: number;
  readonly pictureIds: ReadonlyMap<string, string>;
  readonly userIds: readonly bigint[];
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

export const demoSlugs: readonly string[] = [
  ...demoCategories.map(({ slug }) => slug),
  ...Object.values(demoOffers).flatMap((drafts) => drafts.map(([slug]) => slug)),
];

function pictureIdOf({ pictureIds }: CatalogueContext, slug: string): string {
  const id = pictureIds.get(slug);
  invariant(isDefined(id), `${slug} has a picture`);
  return id;
}

const categoryRow =
  (context: CatalogueContext) =>
  (draft: CategoryDraft, index: number): Insertable<Tables['categories']> => {
    const pictureId = pictureIdOf(context, draft.slug);
    return {
      id: draft.id,
      parent_id: draft.parentId ?? null,
      title: draft.title,
      description: draft.description,
      banner_url: imageOf({ picture_id: pictureId }, ''),
      picture_id: pictureId,
      position: index,
      display_type: draft.displayType,
    };
  };

const offerIdOf = (categoryId: number, index: number): number =>
  categoryId * OFFERS_PER_CATEGORY_MAX + index + 1;

function offerRow(
  context: CatalogueContext,
  [slug, title, kind, priceAth, note, limits = {}]: OfferDraft,
  place: { readonly categoryId: number; readonly index: number },
): Insertable<Tables['offers']> {
  const pictureId = pictureIdOf(context, slug);
  const inDays = (days: number | undefined): Date | null =>
    days === undefined ? null : new Date(context.nowMs + days * DAY_MS);
  return {
    id: offerIdOf(place.categoryId, place.index),
    category_id: place.categoryId,
    title,
    note,
    img: imageOf({ picture_id: pictureId }, ''),
    picture_id: pictureId,
    price_ath_hundredths: priceAth * 100,
    kind,
    display_type: limits.displayType ?? 'standard',
    position: place.index,
    active: limits.isWithdrawn !== true,
    stock_left: limits.stockLeft ?? null,
    sale_starts_at: inDays(limits.saleStartsInDays),
    sale_ends_at: inDays(limits.saleEndsInDays),
    user_count_max: limits.userCountMax ?? null,
    tier_id_min: limits.tierIdMin ?? null,
    beneficiary_user_id:
      limits.beneficiary === undefined ? null : (context.userIds[limits.beneficiary] ?? null),
  };
}

/** Each draft with its category and its index within it. */
const places = Object.entries(demoOffers).flatMap(([categoryId, drafts]) =>
  drafts.map((draft, index) => ({ draft, categoryId: parseInt(categoryId, 10), index })),
);

/** Each draft with the id of its offer. */
export const demoOfferDrafts: readonly { readonly id: number; readonly draft: OfferDraft }[] =
  places.map(({ draft, categoryId, index }) => ({ id: offerIdOf(categoryId, index), draft }));

export const categoryRows = (context: CatalogueContext): Insertable<Tables['categories']>[] =>
  demoCategories.map(categoryRow(context));

export const offerRows = (context: CatalogueContext): Insertable<Tables['offers']>[] =>
  places.map(({ draft, ...place }) => offerRow(context, draft, place));

/** Offers that only one venue redeems, with that venue's index in `demoVenues`. */
export const demoOfferVenues: readonly { readonly offerId: number; readonly venue: number }[] =
  places.flatMap(({ draft: [, , , , , limits], categoryId, index }) =>
    limits?.venue === undefined
      ? []
      : [{ offerId: offerIdOf(categoryId, index), venue: limits.venue }],
  );
