// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { dashboard, dashboardMoney } from '@athos/testing/samples/console-dashboard';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

/** The duration of the retries of a failed read. */
const RETRIES_MS = 30_000;

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const cursorOf = (title: string) => screen.getByRole('slider', { name: new RegExp(`^${title}`) });

describe('the dashboard', () => {
  it(
    '[O-062] lists what waits for a person, each with a link to where it is worked on',
    { tags: 'long' },
    async () => {
      await openConsole();
      const waiting = screen.getByRole('region', { name: 'Waiting for someone' });
      const links = within(waiting).getAllByRole('link');
      expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
        ['3Approvals', '/console/approvals'],
        [expect.stringMatching(/^2Disputes to answerFirst due /), '/console/disputes'],
        ['2Unmatched money', '/console/reconciliation/unmatched'],
        ['4Offers low on stock', '/console/offers'],
      ]);
    },
  );

  it('[O-059] [O-060] [O-061] shows what is outstanding, redemptions by venue and hour, and how often cards succeed', async () => {
    await openConsole();
    const outstanding = screen.getByRole('region', { name: 'Outstanding ATH' });
    expect(within(outstanding).getByText('184,203.1125')).toBeDefined();
    expect(within(outstanding).getByText('31,001.38 USD at the current rate')).toBeDefined();
    expect(cursorOf('Redemptions by venue and hour')).toBeDefined();
    expect(cursorOf('Card payment success').getAttribute('aria-valuetext')).toMatch(
      /^\d+ \w+ \d{4}: Success \d+\.\d%, Paid \d+, Not completed \d+/,
    );
  });

  it(
    "[O-063] offers every chart's numbers as a table, one key away",
    { tags: 'long' },
    async () => {
      const user = await openConsole();
      const titles = screen
        .getAllByRole('slider')
        .map((slider) => slider.getAttribute('aria-label')?.split('. Arrow')[0] ?? '');
      expect(titles).toHaveLength(11);
      for (const title of titles) {
        cursorOf(title.slice(0, 12)).focus();
        await user.keyboard('t');
        const table = screen.getByRole('region', { name: `Table: ${title}` });
        expect(document.activeElement).toBe(table);
        expect(within(table).getAllByRole('row').length).toBeGreaterThan(2);
        await user.keyboard('t');
        expect(screen.queryByRole('region', { name: `Table: ${title}` })).toBeNull();
      }
    },
  );

  it('sets how money moved beside the time before, and says so of each line', async () => {
    const user = await openConsole();
    const flows = cursorOf('How ATH moved');
    expect(flows.getAttribute('aria-valuetext')).toMatch(
      /: Bought [\d,.]+ ATH, .*Bought before [\d,.]+ ATH, Spent before [\d,.]+ ATH/,
    );
    const losses = screen.getByRole('region', { name: 'Refunds and disputes' });
    expect(within(losses).getByText(/^\d+\.\d\d% before$/)).toBeDefined();
    cursorOf('Refunds and disputes').focus();
    await user.keyboard('t');
    const headings = within(losses).getAllByRole('columnheader');
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      'Day',
      'Refunds',
      'Disputes',
      'Refunded',
      'Payments',
      'Refunds before',
      'Disputes before',
    ]);
  });

  it('draws nothing of the time before without a comparison', async () => {
    backend.answer('dashboardMoney', () => ({
      ...dashboardMoney(),
      compared: null,
      flows: { ...dashboardMoney().flows, days_before: [] },
      card_losses: { ...dashboardMoney().card_losses, days_before: [] },
    }));
    await openConsole('/?compare=none');
    for (const title of ['How ATH moved', 'Refunds and disputes']) {
      expect(within(screen.getByRole('region', { name: title })).queryByText(/before/i)).toBeNull();
    }
  });

  it('reads the values out as the cursor moves, along the hours and from venue to venue', async () => {
    const user = await openConsole();
    const map = cursorOf('Redemptions by venue and hour');
    map.focus();
    await user.keyboard('{Home}{ArrowRight}');
    expect(map.getAttribute('aria-valuetext')).toBe('Harbour Hall, 01:00: 0 redemptions');
    await user.keyboard('{ArrowDown}');
    expect(map.getAttribute('aria-valuetext')).toBe('Garden Terrace, 01:00: 0 redemptions');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(map.getAttribute('aria-valuetext')).toBe('Harbour Hall, 01:00: 0 redemptions');
  });

  it('writes the numbers to a file that no spreadsheet takes for a formula', async () => {
    backend.answer('dashboard', () => ({
      ...dashboard(),
      sales: dashboard()
        .sales.slice(0, 1)
        .map((sale) => ({
          ...sale,
          title: '=HYPERLINK("evil")',
          count: 1204,
          before: null,
          amount: null,
        })),
    }));
    const parts: string[] = [];
    vi.stubGlobal(
      'Blob',
      class {
        constructor(texts: string[]) {
          parts.push(...texts);
        }
      },
    );
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => '#', revokeObjectURL: () => 0 }),
    );
    const user = await openConsole();
    await user.click(screen.getByRole('button', { name: 'Download as CSV: Best-selling offers' }));
    expect(parts).toEqual(['Offer,Items\r\n"\'=HYPERLINK(""evil"")",1204\r\n']);
  });

  it('asks for the days and the comparison of the address', async () => {
    const user = await openConsole('/?from=2026-01-05&to=2026-01-11&compare=weekdays');
    expect(String(backend.calls('dashboard')[0]?.query)).toBe(
      'from=2026-01-05&to=2026-01-11&compare=weekdays',
    );
    await user.selectOptions(screen.getByLabelText('Range'), 'Last 7 days');
    await settle();
    expect(location.search).toBe('?compare=weekdays&range=7');
  });

  it('leaves money out for those who may not see it', async () => {
    backend.answer('me', () => staffWith(['catalogue_editor']));
    await openConsole();
    expect(screen.queryByRole('region', { name: 'Outstanding ATH' })).toBeNull();
    expect(backend.calls('dashboardMoney')).toHaveLength(0);
    expect(screen.getByRole('region', { name: 'Best-selling offers' })).toBeDefined();
  });

  it('says what could not be read, and shows the rest', async () => {
    backend.answer('dashboardMoney', () => problem('too_slow'));
    await openConsole();
    await settle(RETRIES_MS);
    expect(screen.getByRole('region', { name: 'Best-selling offers' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});
