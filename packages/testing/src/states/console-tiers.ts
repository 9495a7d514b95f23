import { problem, silence } from '../fake-api.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { consoleTiers } from '../samples/console-tiers.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

export const consoleTierStates = statesOf(
  'console-tiers',
  { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440], path: '/console/tiers' },
  {
    filled: { reach: seen('Who has which tier') },
    edit: {
      async reach(page) {
        await press(page, 'Change the tiers');
        await see(page, 'Who would move');
      },
    },
    moves: {
      async reach(page) {
        await press(page, 'Change the tiers');
        await page.getByLabel('Threshold in ATH').nth(2).fill('2500');
        await see(page, 'from Silver to Bronze');
      },
    },
    faults: {
      async reach(page) {
        await press(page, 'Change the tiers');
        await page.getByLabel('Threshold in ATH').nth(2).fill('50');
        await page.getByLabel('Colour', { exact: true }).nth(1).fill('#767676');
        await see(page, 'Neither dark nor light text');
      },
    },
    ask: {
      async reach(page) {
        await press(page, 'Change the tiers');
        await page.getByLabel('Threshold in ATH').nth(2).fill('2500');
        await press(page, 'Request the change');
        await write(page, 'Reason', 'Silver was too easy to reach');
      },
    },
    pending: {
      answers: {
        consoleTiers: () => consoleTiers({ request_id: '0192f0f0-0000-7000-8000-000000000009' }),
      },
      reach: seen('A change is waiting for approval'),
    },
    uncounted: {
      answers: { tierHolders: () => ({ counted_at: null, items: [] }) },
      reach: seen('Balances have not been counted yet'),
    },
    empty: {
      answers: { consoleTiers: () => consoleTiers({ items: [] }) },
      reach: seen('No tiers yet'),
    },
    reader: {
      answers: { me: () => staffWith(['catalogue_editor']) },
      reach: seen('Preview'),
    },
    loading: { answers: { consoleTiers: silence } },
    failed: {
      answers: { consoleTiers: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
  },
);
