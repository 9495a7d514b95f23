import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

export const programmeSettingStates = statesOf(
  'console-settings',
  { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440], path: '/console/settings' },
  {
    filled: { reach: seen('Four-eyes policies') },
    change: {
      async reach(page) {
        await press(page, 'Change policy_credit');
        await see(page, 'At once up to');
      },
    },
    fixed: {
      async reach(page) {
        await press(page, 'Change policy_write_off');
        await see(page, 'This always takes a vote.');
      },
    },
    loading: { answers: { settings: silence } },
    failed: {
      answers: { settings: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
  },
);
