import type { Page } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { merchant, MERCHANT_ID, statement } from '../samples/console-merchants.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { seeFailure, seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: { ...consoleAnswers, me: () => staffWith(['finance']) },
  widths: [390, 768, 1440],
} as const;

const asEditor = { me: () => staffWith(['catalogue_editor']) };

const choose = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: 'Actions' }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

export const consoleMerchantStates = [
  ...statesOf(
    'console-merchants',
    { ...shared, path: '/console/merchants' },
    {
      filled: { reach: seen('3 of 3 shown') },
      editor: {
        answers: {
          ...asEditor,
          merchants: () => ({
            items: [
              {
                id: MERCHANT_ID,
                name: 'Harbour Brewery',
                archived_at: null,
                offer_count: 12,
                balance: null,
              },
            ],
            next_cursor: null,
            count: { value: 1, is_at_least: false },
          }),
        },
        reach: seen('1 of 1 shown'),
      },
      empty: {
        answers: {
          merchants: () => ({
            items: [],
            next_cursor: null,
            count: { value: 0, is_at_least: false },
          }),
        },
        reach: seen('Nothing yet'),
      },
      loading: { answers: { merchants: silence } },
      failed: { answers: { merchants: () => problem('internal_error') }, reach: seeFailure },
      add: {
        answers: asEditor,
        async reach(page) {
          await press(page, 'Add a merchant');
          await write(page, 'Name', 'South Pier Records');
        },
      },
    },
  ),
  ...statesOf(
    'console-merchant',
    { ...shared, path: `/console/merchants/${MERCHANT_ID}` },
    {
      filled: { reach: seen('Held for settlement') },
      owing: {
        answers: {
          merchant: () => merchant({ balance: '-64000000', waiting: [] }),
          merchantStatement: () =>
            statement({
              opening: '0',
              total: {
                ...statement().total,
                sale_count: 0,
                sales: '0',
                settled: '0',
                held: '0',
                refund_count: 2,
                refunds: '64000000',
                balance: '-64000000',
              },
              days: [],
              counted_until: null,
            }),
        },
        reach: seen('Being counted again'),
      },
      archived: {
        answers: {
          merchant: () =>
            merchant({ archived_at: '2026-03-02T10:00:00.000Z', balance: '0', waiting: [] }),
          merchantStatement: () =>
            statement({
              opening: '0',
              days: [],
              total: {
                sale_count: 0,
                sales: '0',
                refund_count: 0,
                refunds: '0',
                settled: '0',
                held: '0',
                balance: '0',
              },
            }),
        },
        reach: seen('Nothing moved in this month.'),
      },
      editor: {
        answers: { ...asEditor, merchant: () => merchant({ balance: null, waiting: null }) },
        reach: seen(/ledger.book/),
      },
      'no-statement': {
        answers: { merchantStatement: () => problem('overloaded') },
        reach: seeFailure,
      },
      missing: {
        answers: { merchant: () => problem('not_found') },
        reach: seeMissing,
      },
      edit: {
        answers: asEditor,
        reach: (page) => choose(page, 'Edit'),
      },
      archive: {
        answers: asEditor,
        async reach(page) {
          await choose(page, 'Archive');
          await see(page, /No offer can name Harbour Brewery/);
        },
      },
      settle: {
        async reach(page) {
          await press(page, 'Settle');
          await see(page, /Holds 4,820.50 ATH of Harbour Brewery/);
        },
      },
      refused: {
        answers: { settleMerchant: () => problem('insufficient_balance') },
        async reach(page) {
          await press(page, 'Settle');
          await write(page, 'Reason', 'Settlement of October');
          await press(page, 'Request 4,820.50 ATH');
          await see(page, /does not cover/);
        },
      },
    },
  ),
];
