import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { callerOf } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { imageOf, presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import {
  ALWAYS_ASKED,
  CACHED_BRIEFLY,
  createAnswerMemory,
  makeReady,
  sendReady,
  type ReadyAnswer,
} from './answer-memory.ts';
import {
  selectCategory,
  selectCategoryIds,
  selectOffers,
  selectOffersOf,
  selectTopCategories,
  type CategoryRow,
  type OfferRow,
} from './catalogue.sql.ts';

interface CatalogDeps extends EndpointDeps {
  readonly db: Db;
}

type Reads = Pick<CatalogDeps, 'db' | 'clock'>;

const ID_MAX = 2_147_483_647;

/**
 * Offers are public and read from the database each time, so these reads may use only a few of its connections: otherwise a
 * crowd that is not even signed in could delay every buyer.
 */
const READS = { atOnceMax: 3, waitingMax: 2_000, waitMaxMs: 2_000 };

const presentOffer = (offer: OfferRow) => ({
  id: offer.id,
  category_id: offer.category_id,
  title: offer.title,
  note: offer.note,
  img: imageOf(offer, offer.img),
  amount_cents: offer.price_ath_hundredths,
  kind: offer.kind,
  display_type: offer.display_type,
  active: offer.active,
  picture: presentPictureOf(offer),
  stock_left: offer.stock_left,
  sale_starts_at: offer.sale_starts_at?.toISOString() ?? null,
  sale_ends_at: offer.sale_ends_at?.toISOString() ?? null,
  user_count_max: offer.user_count_max,
  tier_id_min: offer.tier_id_min,
});

const presentCategory = (category: CategoryRow) => ({
  id: category.id,
  parent_id: category.parent_id,
  title: category.title,
  description: category.description,
  banner_url: imageOf(category, category.banner_url),
  position: category.position,
  display_type: category.display_type,
  picture: presentPictureOf(category),
});

/** The categories of `rows` that `isTop` selects, with their children and the offers of both. Makes one query. */
async function presentTree(
  { db, clock }: Reads,
  rows: readonly CategoryRow[],
  isTop: (row: CategoryRow) => boolean,
) {
  if (rows.length === 0) return [];
  const offers = await selectOffersOf(
    db,
    rows.map(({ id }) => id),
    dateOf(clock),
  );
  const offersOf = Map.groupBy(offers.map(presentOffer), (offer) => offer.category_id);
  const childrenOf = Map.groupBy(rows, (row) => row.parent_id);
  const present = (row: CategoryRow) => ({
    ...presentCategory(row),
    offers: offersOf.get(row.id) ?? [],
  });
  return rows.filter(isTop).map((row) => ({
    ...present(row),
    categories: (childrenOf.get(row.id) ?? []).map((child) => ({
      ...present(child),
      categories: [],
    })),
  }));
}

async function loadCategories(reads: Reads): Promise<ReadyAnswer> {
  const rows = await selectTopCategories(reads.db);
  const categories = await presentTree(reads, rows, (row) => row.parent_id === null);
  return makeReady(api.categories.answer.parse({ categories }));
}

async function loadCategory(reads: Reads, categoryId: number): Promise<ReadyAnswer | undefined> {
  const rows = await selectCategory(reads.db, categoryId);
  // If the category was deleted in the meantime, `rows` contains only its children.
  const [category] = await presentTree(reads, rows, (row) => row.id === categoryId);
  return category === undefined ? undefined : makeReady(api.category.answer.parse(category));
}

/** The catalogue (spec 7), which is public and the same for everybody. */
export function registerCatalogueRoutes(app: FastifyInstance, deps: CatalogDeps): void {
  const { db, clock } = deps;
  const remembered = createAnswerMemory<ReadyAnswer | undefined>(clock);
  const rememberedIds = createAnswerMemory<ReadonlySet<number>>(clock);
  const readGate = createGate(READS);

  endpoint(app, deps, api.categories, async ({ request, reply }) => {
    const answer = await remembered('all', () => loadCategories(deps));
    if (answer === undefined) throw new AppError('not_found');
    return sendReady(request, reply, { answer, cacheControl: CACHED_BRIEFLY });
  });

  endpoint(app, deps, api.category, async ({ params, request, reply }) => {
    // The list of ids is cached, so that requests for unknown ids do not reach the database.
    const ids = await rememberedIds('all', () => selectCategoryIds(db));
    const answer = ids.has(params.id)
      ? await remembered(`${params.id}`, () => loadCategory(deps, params.id))
      : undefined;
    if (answer === undefined) throw new AppError('not_found');
    return sendReady(request, reply, { answer, cacheControl: CACHED_BRIEFLY });
  });

  // Never cached: after a refused purchase the wallet reads the new prices and states.
  endpoint(app, deps, api.offers, async ({ query, request, reply }) => {
    const ids = query.ids.split(',').map((text) => parseInt(text, 10));
    const answer = await readGate(callerOf(request), async () => {
      const rows = await selectOffers(
        db,
        [...new Set(ids.filter((id) => id <= ID_MAX))],
        dateOf(clock),
      );
      return makeReady(api.offers.answer.parse({ offers: rows.map(presentOffer) }));
    });
    return sendReady(request, reply, { answer, cacheControl: ALWAYS_ASKED });
  });
}
