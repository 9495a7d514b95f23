/** The exported lists of the catalogue. Offers are in the format of their import (modules/shop/import). */
import { LIST_COUNT_MAX } from '@athos/contract/console/lists';
import {
  CATEGORY_COLUMNS,
  categoryCells,
  listCategories,
  listOffers,
  OFFER_COLUMNS,
  offerCells,
  readOffers,
  type OfferFilters,
} from '../shop/index.ts';
import type { ExportList } from './export-list.ts';

type Exported<Read extends (...given: never[]) => unknown> =
  Awaited<ReturnType<Read>> extends readonly (infer Row)[] ? Row : never;
type Offer = Parameters<typeof offerCells>[0];

export const offers: ExportList<Offer, OfferFilters> = {
  permission: 'catalogue.read',
  columns: OFFER_COLUMNS,
  async count(tx, filters, now) {
    const { length } = await listOffers(tx, filters, now.getTime());
    return { value: Math.min(length, LIST_COUNT_MAX), is_at_least: length > LIST_COUNT_MAX };
  },
  read: ({ db, clock }, filters) => readOffers(db, filters, clock.nowMs()),
  cellsOf: ({ clock }, rows) => rows.map((row) => offerCells(row, clock.nowMs())),
};

export const categories: ExportList<Exported<typeof listCategories>, object> = {
  permission: 'catalogue.read',
  columns: CATEGORY_COLUMNS,
  async count(tx) {
    return { value: (await listCategories(tx)).length, is_at_least: false };
  },
  async *read({ db }) {
    yield await listCategories(db);
  },
  cellsOf: (_deps, rows) => rows.map(categoryCells),
};
