/** An import of offers, as the API returns it to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';
import { CATEGORY_ID, OFFER_ID } from './console-catalogue.ts';

type Import = ConsoleAnswerOf<'offerImport'>;
type Row = ConsoleAnswerOf<'offerImportRows'>['items'][number];

export const IMPORT_ID = '0192eeee-0000-7000-8000-000000000288';

export const offerImport = (more: Partial<Import> = {}): Import => ({
  id: IMPORT_ID,
  state: 'checked',
  created_at: '2026-11-22T11:40:00.000Z',
  finished_at: null,
  rows_total: 1_204,
  found: { new: 18, change: 41, same: 1_139, fault: 6 },
  skipped: 1,
  to_apply: 58,
  applied: 0,
  failed: 0,
  ...more,
});

const row = (number: number, more: Partial<Row> = {}): Row => ({
  row: number,
  offer_id: OFFER_ID,
  title: 'Amber Fizz, 0.33 l',
  finding: 'change',
  is_skipped: false,
  faults: [],
  before: { price: '32000000', user_count_max: 6 },
  after: { price: '34500000', user_count_max: null },
  outcome: null,
  failure: null,
  ...more,
});

const ROWS: readonly Row[] = [
  row(2),
  row(3, {
    offer_id: null,
    title: 'Red Fizz, 0.33 l',
    finding: 'new',
    before: {},
    after: {
      category_id: CATEGORY_ID,
      title: 'Red Fizz, 0.33 l',
      note: '',
      img: '',
      picture_id: null,
      kind: 0,
      display_type: 'standard',
      price: '31000000',
      price_windows: [],
      sale_starts_at: null,
      sale_ends_at: null,
      user_count_max: null,
      tier_id_min: null,
      merchant_id: 1,
    },
  }),
  row(4, {
    offer_id: null,
    title: '',
    finding: 'fault',
    before: {},
    after: {},
    faults: [
      { column: 'title', message: 'must not be empty' },
      { column: 'price', message: 'must be a price in ATH, such as 12.50' },
    ],
  }),
  row(5, { offer_id: 304, title: 'Tip the bar', finding: 'same', before: {}, after: {} }),
  row(6, { offer_id: 303, title: 'Team cap', is_skipped: true }),
];

export const failedRow = (): Row =>
  row(9, { outcome: 'failed', failure: 'Someone else has changed this meanwhile.' });

export const importAnswers: Handlers = {
  offerImport: () => offerImport(),
  offerImportRows: () => ({
    items: [...ROWS],
    next_cursor: 'more',
    count: { value: 1_204, is_at_least: false },
  }),
  uploadOfferImport: () => offerImport(),
  skipOfferImportRows: () => offerImport({ skipped: 2, to_apply: 57 }),
  applyOfferImport: () => offerImport({ state: 'waiting' }),
};
