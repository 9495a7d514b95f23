// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { failedRow, IMPORT_ID, offerImport } from '@athos/testing/samples/console-imports';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeRequest, sent, standInForRequests } from '../../../test/fake-request.ts';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('me', () => staffWith(['catalogue_editor']));
  standInForRequests();
});
afterEach(endTest);

const IMPORT = `/offers/import/${IMPORT_ID}`;
const button = (name: string) => screen.getByRole('button', { name });

it('a file is sent as CSV whatever type its system gives it, and opens what was found', async () => {
  const user = await openConsole('/offers/import');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('no choice of files');
  const excel = { type: 'application/vnd.ms-excel' };
  await user.upload(input, new File(['title'], 'offers.csv', excel));
  await settle();
  expect(sent(0).headers['content-type']).toBe('text/csv');
  sent(0).answer(200, offerImport());
  await settle();
  expect(location.pathname).toBe(`/console${IMPORT}`);
});

it('a file that was refused says why, and one without an answer goes again under its key', async () => {
  const user = await openConsole('/offers/import');
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('no choice of files');
  await user.upload(input, new File(['title'], 'offers.csv', { type: 'text/csv' }));
  await settle();
  sent(0).onerror?.();
  await settle();
  await user.click(button('Try again'));
  await settle();
  expect(sent(1).headers['idempotency-key']).toBe(sent(0).headers['idempotency-key']);
  sent(1).answer(422, { title: 'This file cannot be imported.', detail: 'It is in UTF-16.' });
  await settle();
  expect(screen.getByText('This file cannot be imported. It is in UTF-16.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(FakeRequest.all).toHaveLength(2);
});

it('each row says what it would do or what is wrong, and can be left out', async () => {
  const user = await openConsole(IMPORT);
  expect(screen.getByText('must be a price in ATH, such as 12.50')).toBeDefined();
  const [change] = screen.getAllByText(/^What changes: /);
  expect(change?.textContent).toBe('What changes: Price, Limit per customer');
  expect(screen.queryByRole('button', { name: 'Leave out row 4' })).toBeNull();
  expect(button('Take in row 6')).toBeDefined();
  await user.click(button('Leave out row 2'));
  await settle();
  expect(backend.calls('skipOfferImportRows')[0]?.body).toEqual({ rows: [2], is_skipped: true });
});

it('is applied with the number of rows that was shown', async () => {
  const user = await openConsole(IMPORT);
  await user.click(button('Apply 58 rows'));
  await settle();
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Apply 58 rows' }));
  await settle();
  expect(backend.calls('applyOfferImport')[0]?.body).toEqual({ to_apply: 58 });
});

it('shows the rows that failed once it was applied', async () => {
  backend.answer('offerImport', () => offerImport({ state: 'done', applied: 57, failed: 1 }));
  backend.answer('offerImportRows', ({ query }) =>
    query.get('show') === 'failed'
      ? { items: [failedRow()], next_cursor: null, count: { value: 1, is_at_least: false } }
      : problem('internal_error'),
  );
  await openConsole(IMPORT);
  expect(screen.getByText('Someone else has changed this meanwhile.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
});
