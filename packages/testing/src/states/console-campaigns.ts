import type { Page } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { campaign, CAMPAIGN_ID } from '../samples/console-campaigns.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure, seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: { ...consoleAnswers, me: () => staffWith(['brand_manager']) },
  widths: [390, 768, 1440],
} as const;

const choose = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: 'Actions' }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

export const campaignStates = [
  ...statesOf(
    'console-campaigns',
    { ...shared, path: '/console/campaigns' },
    {
      filled: { reach: seen('6 of 6 shown') },
      empty: { answers: { campaigns: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { campaigns: silence } },
      failed: { answers: { campaigns: () => problem('internal_error') }, reach: seeFailure },
      new: {
        async reach(page) {
          await press(page, 'New campaign');
          await write(page, 'Title', 'Autumn bottles');
          await page.getByLabel('Audience').selectOption('New accounts');
        },
      },
      reader: {
        answers: { me: () => staffWith(['auditor']) },
        reach: seen(/Needs the permission campaigns.edit/),
      },
    },
  ),
  ...statesOf(
    'console-campaign',
    { ...shared, path: `/console/campaigns/${CAMPAIGN_ID}` },
    {
      running: { reach: seen('36,000 of 100,000 codes') },
      draft: {
        answers: {
          campaign: () => campaign({ state: 'draft', budget: '0', left: '0', given: '0' }),
          batches: emptyList,
        },
        reach: seen('No codes yet.'),
      },
      settled: {
        answers: {
          campaign: () =>
            campaign({
              state: 'settled',
              left: '0',
              returned: '67900000000',
              settled_at: '2026-11-20T09:00:00.000Z',
              audience: { kind: 'tier', tier_id: 3 },
              tier_title: 'Gold',
            }),
        },
        reach: seen('Gold and above'),
      },
      'no-batches': {
        answers: { batches: () => problem('internal_error') },
        reach: seeFailure,
      },
      missing: {
        answers: { campaign: () => problem('not_found') },
        reach: seeMissing,
      },
      edit: { reach: (page) => choose(page, 'Edit') },
      fund: {
        async reach(page) {
          await choose(page, 'Add budget');
          await write(page, 'Budget to add, in ATH', '5000');
          await see(page, /enough for 200 claims/);
        },
      },
      end: {
        async reach(page) {
          await choose(page, 'End');
          await see(page, /returns 67,900.00 ATH to issuance/);
        },
      },
      make: {
        async reach(page) {
          await press(page, 'Make codes');
          await write(page, 'Label', 'Second run');
          await write(page, 'Number of codes (at most 100,000)', '2400');
          await see(page, /Makes 2,400 codes worth 60,000.00 ATH/);
        },
      },
      void: {
        async reach(page) {
          await page.getByRole('button', { name: 'Actions' }).nth(1).click();
          await page.getByRole('menuitem', { name: 'Void' }).click();
          await see(page, /2,400 in all\) is refused from the next claim on/);
        },
      },
      files: {
        async reach(page) {
          await page.getByRole('button', { name: 'Actions' }).nth(1).click();
          await see(page, 'Download PDF, A4, 3 × 8');
        },
      },
    },
  ),
  ...statesOf(
    'console-codes',
    { ...shared, path: '/console/codes' },
    {
      filled: { reach: seen('198.51.100.7') },
      empty: { answers: { lockOuts: emptyList }, reach: seen('Nobody is locked out.') },
      loading: { answers: { lockOuts: silence } },
      failed: { answers: { lockOuts: () => problem('internal_error') }, reach: seeFailure },
      found: {
        async reach(page) {
          await write(page, 'Code or its link', '7K4T-DS21-3SB5-5QDT');
          await press(page, 'Look up');
          await see(page, 'Bottles, first run');
        },
      },
      unknown: {
        answers: { lookUpCode: () => ({ is_code: true, found: null }) },
        async reach(page) {
          await write(page, 'Code or its link', '7K4T-DS21-3SB5-5QDT');
          await press(page, 'Look up');
          await see(page, 'No campaign has this code.');
        },
      },
      limited: {
        answers: { lookUpCode: () => problem('too_many_requests') },
        async reach(page) {
          await write(page, 'Code or its link', '7K4T-DS21-3SB5-5QDT');
          await press(page, 'Look up');
          await see(page, /Too many requests/);
        },
      },
      release: {
        async reach(page) {
          await page.getByRole('button', { name: 'Release' }).last().click();
          await see(page, '198.51.100.7 may try codes again at once.');
        },
      },
      refused: {
        answers: { me: () => staffWith(['finance']) },
        reach: seen(/codes.look_up/),
      },
    },
  ),
];
