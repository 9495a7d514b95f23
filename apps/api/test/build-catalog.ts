/** Categories, offers and tiers for tests. Each factory takes the fields that matter to the test and fills in the rest. */
import type { Insertable, Selectable } from 'kysely';
import type { Tables } from '../src/platform/database/database.ts';
import type { TestApp } from './test-app.ts';

export type OfferRow = Selectable<Tables['offers']>;
type CategoryRow = Selectable<Tables['categories']>;
type TierRow = Selectable<Tables['tiers']>;

/** Starts above the ids that tests choose themselves. */
let lastId = 1_000;
const nextId = (): number => (lastId += 1);

function createCategory(
  { deps }: TestApp,
  over: Partial<Insertable<Tables['categories']>> = {},
): Promise<CategoryRow> {
  const id = nextId();
  return deps.db
    .insertInto('categories')
    .values({
      id,
      parent_id: null,
      title: `Category ${id}`,
      description: 'What is in it',
      banner_url: '/art/category.svg',
      position: id,
      display_type: 'grid',
      ...over,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Creates an offer on sale for 10 ATH without limits, by default in a new category. A tip (kind 3) has no price.
 */
export async function createOffer(
  test: TestApp,
  over: Partial<Insertable<Tables['offers']>> = {},
): Promise<OfferRow> {
  const id = nextId();
  const categoryId = over.category_id ?? (await createCategory(test)).id;
  return test.deps.db
    .insertInto('offers')
    .values({
      id,
      category_id: categoryId,
      title: `Offer **${id}**`,
      note: `Note of offer ${id}`,
      img: `/art/offer-${id}.svg`,
      price_ath_hundredths: over.kind === 3 ? 0 : 1_000,
      kind: 0,
      display_type: 'standard',
      position: id,
      ...over,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function createTier(
  { deps }: TestApp,
  over: Partial<Insertable<Tables['tiers']>> = {},
): Promise<TierRow> {
  const id = nextId();
  return deps.db
    .insertInto('tiers')
    .values({
      id,
      title: `Tier ${id}`,
      amount_micro_ath: BigInt(id) * 1_000_000n,
      color: '#8d96a3',
      note: 'Welcome',
      ...over,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes an offer while it is on sale, as an operator does. */
export async function changeOffer(
  { deps }: TestApp,
  offerId: number,
  change: Partial<Insertable<Tables['offers']>>,
): Promise<void> {
  await deps.db.updateTable('offers').set(change).where('id', '=', offerId).execute();
}
