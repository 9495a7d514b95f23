import type { Page } from '@playwright/test';
import { networkFailure, silence } from '../fake-api.ts';
import { emptyDashboard } from '../samples/console-dashboard.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

const cursorOf = (page: Page, title: string) =>
  page.getByRole('slider', { name: new RegExp(`^${title}`) });

export const dashboardStates = statesOf(
  'console-dashboard',
  {
    isVisitor: true,
    answers: consoleAnswers,
    path: '/console',
    widths: [320, 390, 768, 1440],
    isWhole: true,
  },
  {
    filled: { reach: seen('Redemptions by venue and hour') },
    cursor: {
      async reach(page) {
        await see(page, 'Redemptions by venue and hour');
        await cursorOf(page, 'How ATH moved').press('End');
        await page.keyboard.press('ArrowLeft');
      },
    },
    table: {
      async reach(page) {
        await see(page, 'Redemptions by venue and hour');
        await cursorOf(page, 'Redemptions by venue').press('t');
        await cursorOf(page, 'Outstanding ATH').press('t');
        await page.getByRole('region', { name: 'Table: Outstanding ATH' }).waitFor();
      },
    },
    'without-money': {
      answers: { me: () => staffWith(['catalogue_editor']) },
      reach: seen('Redemptions by venue and hour'),
    },
    'other-days': {
      path: '/console?from=2026-01-01&to=2026-01-31&compare=weekdays',
      reach: seen('Redemptions by venue and hour'),
    },
    empty: {
      answers: { dashboard: emptyDashboard, waiting: () => ({ items: [] }) },
      reach: seen('Nothing is waiting for you.'),
    },
    loading: {
      answers: { dashboard: silence, dashboardMoney: silence, waiting: silence },
      reach: (page) => page.getByRole('status', { name: 'Loading' }).first().waitFor(),
    },
    failed: {
      answers: { dashboard: networkFailure, waiting: networkFailure },
      reach: seen('Try again'),
    },
  },
);
