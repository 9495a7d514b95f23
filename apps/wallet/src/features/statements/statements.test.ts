// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { endTest, openAt } from '../../../test/signed-in.tsx';
import { paths } from '../../routes/paths.ts';

let backend: FakeBackend;
const saved: string[] = [];
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  saved.length = 0;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
});
afterEach(endTest);

describe('the statements', () => {
  it('are saved as the chosen file, in the time zone of the device', async () => {
    const user = await openAt(paths.statements);
    await pass();
    await user.click(screen.getByRole('radio', { name: 'CSV' }));
    await user.click(screen.getByRole('button', { name: 'Save CSV of October 2026' }));
    await pass();
    const asked = backend.calls('statement').at(-1);
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      format: 'csv',
      asset: 'ATH',
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(saved).toEqual(['statement-2026-10.csv']);
  });

  it.each([
    ['PDF', 'This month has too many movements for a PDF. Choose CSV or JSON.'],
    ['CSV', /too many movements for one file. Export a shorter period from the history/],
  ])('say what to choose when a month is too long for %s', async (format, words) => {
    backend.answer('statement', () => problem('too_many_movements'));
    const user = await openAt(paths.statements);
    await pass();
    await user.click(screen.getByRole('radio', { name: format }));
    await user.click(screen.getByRole('button', { name: `Save ${format} of November 2026` }));
    await pass();
    expect(screen.getByText(words)).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it('say so when a file cannot be made, and save nothing', async () => {
    backend.answer('statement', () => problem('forbidden'));
    const user = await openAt(paths.statements);
    await pass();
    await user.click(screen.getByRole('button', { name: 'Save PDF of November 2026' }));
    await pass();
    expect(screen.getByText('The statement could not be made.')).toBeTruthy();
    expect(saved).toEqual([]);
  });
});

describe('the chart', () => {
  const points = (balances: readonly string[]) => ({
    points: balances.map((balance, index) => ({
      at: new Date(Date.UTC(2026, 10, 1 + index)).toISOString(),
      balance,
    })),
  });

  it('[W-147] says in words and in a table what it draws', async () => {
    backend.answer('balanceHistory', () => points(['0', '5000000', '2500000']));
    await openAt(paths.statements);
    await pass();
    const words = 'From 0.00 to 2.50 ATH; lowest 0.00, highest 5.00.';
    expect(screen.getByRole('img', { name: words })).toBeTruthy();
    const table = screen.getByRole('table', { hidden: true });
    const cells = within(table).getAllByRole('cell', { hidden: true });
    expect(cells.filter((_, index) => index % 2 === 1).map((cell) => cell.textContent)).toEqual([
      '0.00',
      '5.00',
      '2.50',
    ]);
  });

  it('asks for another period and another token', async () => {
    const user = await openAt(paths.statements);
    await pass();
    await user.click(screen.getByRole('radio', { name: '1 year' }));
    await pass();
    const query = Object.fromEntries(backend.calls('balanceHistory').at(-1)?.query ?? []);
    const days = (Date.parse(query['to'] ?? '') - Date.parse(query['from'] ?? '')) / 86_400_000;
    expect(days).toBe(365);
    await user.click(screen.getByRole('radio', { name: 'ATH2' }));
    await pass();
    expect(backend.calls('balanceHistory').at(-1)?.query.get('asset')).toBe('ATH2');
  });

  it('says when there are too many movements for it', async () => {
    backend.answer('balanceHistory', () => problem('too_many_movements'));
    await openAt(paths.statements);
    await pass();
    expect(screen.getByText(/Too many movements for a chart/)).toBeTruthy();
  });
});
