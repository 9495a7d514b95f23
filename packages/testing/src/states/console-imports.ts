import { problem, silence } from '../fake-api.ts';
import { failedRow, IMPORT_ID, offerImport } from '../samples/console-imports.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen } from '../steps/acts.ts';
import { seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: { ...consoleAnswers, me: () => staffWith(['catalogue_editor']) },
  widths: [390, 768, 1440],
} as const;

const rowsOf = (...items: ReturnType<typeof failedRow>[]) => ({
  items,
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

export const consoleImportStates = [
  ...statesOf(
    'console-import-file',
    { ...shared, path: '/console/offers/import' },
    {
      start: { reach: seen('Choose a file') },
      refused: {
        answers: { uploadOfferImport: () => problem('invalid_csv') },
        async reach(page) {
          await page.locator('input[type=file]').setInputFiles({
            name: 'offers.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from('title'),
          });
          await see(page, /cannot be imported/);
        },
      },
      unknown: {
        answers: { uploadOfferImport: () => problem('internal_error') },
        async reach(page) {
          await page.locator('input[type=file]').setInputFiles({
            name: 'offers.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from('title'),
          });
          await see(page, /No answer came/);
        },
      },
    },
  ),
  ...statesOf(
    'console-import',
    { ...shared, path: `/console/offers/import/${IMPORT_ID}` },
    {
      checked: {
        async reach(page) {
          await page
            .getByText(/What changes/)
            .first()
            .click();
          await see(page, '34.50 ATH');
        },
      },
      nothing: {
        answers: {
          offerImport: () =>
            offerImport({ to_apply: 0, found: { new: 0, change: 0, same: 0, fault: 5_000 } }),
          offerImportRows: () => rowsOf(),
        },
        reach: seen('There is nothing to apply.'),
      },
      loading: { answers: { offerImportRows: silence }, reach: seen('Import of offers') },
      apply: {
        async reach(page) {
          await press(page, 'Apply 58 rows');
          await see(page, /Saves 58 rows as drafts/);
        },
      },
      running: {
        answers: { offerImport: () => offerImport({ state: 'running', applied: 20, failed: 1 }) },
        reach: seen('21 of 58 rows'),
      },
      failed: {
        answers: {
          offerImport: () =>
            offerImport({
              state: 'done',
              applied: 57,
              failed: 1,
              finished_at: '2026-11-22T11:42:00.000Z',
            }),
          offerImportRows: () => rowsOf(failedRow()),
        },
        reach: seen('Someone else has changed this meanwhile.'),
      },
      missing: {
        answers: { offerImport: () => problem('not_found') },
        reach: seeMissing,
      },
    },
  ),
];
