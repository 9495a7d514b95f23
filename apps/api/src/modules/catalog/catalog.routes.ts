import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Db } from '../../platform/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import {
  selectCategoriesOf,
  selectCategory,
  selectChildren,
  selectOffersOf,
  type CategoryRow,
  type OfferRow,
} from './catalog.sql.ts';

interface CatalogDeps extends EndpointDeps {
  readonly db: Db;
}

/** The catalogue is the same for everybody, so caches may hold it; a change is seen within 10 s. */
const CACHE = 'public, max-age=10';

function presentOffer({ price_ath_hundredths, ...offer }: OfferRow) {
  return {
    ...offer,
    amount_cents: price_ath_hundredths,
    picture: null,
    sale_starts_at: offer.sale_starts_at?.toISOString() ?? null,
    sale_ends_at: offer.sale_ends_at?.toISOString() ?? null,
  };
}

const presentCategory = (category: CategoryRow) => ({ ...category, picture: null });

/** Categories with their children and the offers of both, in three queries however many there are. */
async function loadCategories(db: Db, categories: readonly CategoryRow[]) {
  if (categories.length === 0) return [];
  const children = await selectChildren(
    db,
    categories.map(({ id }) => id),
  );
  const offers = await selectOffersOf(
    db,
    [...categories, ...children].map(({ id }) => id),
  );
  const offersOf = Map.groupBy(offers.map(presentOffer), (offer) => offer.category_id);
  const childrenOf = Map.groupBy(children, (child) => child.parent_id);
  return categories.map((category) => ({
    ...presentCategory(category),
    offers: offersOf.get(category.id) ?? [],
    categories: (childrenOf.get(category.id) ?? []).map((child) => ({
      ...presentCategory(child),
      offers: offersOf.get(child.id) ?? [],
      categories: [],
    })),
  }));
}

export function registerCatalogRoutes(app: FastifyInstance, deps: CatalogDeps): void {
  endpoint(app, deps, api.categories, async ({ reply }) => {
    const top = await selectCategoriesOf(deps.db, null);
    reply.header('cache-control', CACHE);
    return { categories: await loadCategories(deps.db, top) };
  });

  endpoint(app, deps, api.category, async ({ params, reply }) => {
    const found = await selectCategory(deps.db, params.id);
    const [category] = await loadCategories(deps.db, found === undefined ? [] : [found]);
    if (category === undefined) throw new AppError('not_found');
    reply.header('cache-control', CACHE);
    return category;
  });
}
