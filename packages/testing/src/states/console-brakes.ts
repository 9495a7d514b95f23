import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { brakes } from '../samples/console-brakes.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

export const brakeStates = statesOf(
  'console-brakes',
  { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440], path: '/console/brakes' },
  {
    released: { reach: seen('Stop buying') },
    pulled: { answers: { brakes: () => brakes('buying') }, reach: seen('Resume buying') },
    asked: {
      answers: { brakes: () => brakes('sending', '0192f0f0-0000-7000-8000-000000000001') },
      reach: seen('Waiting for approval'),
    },
    pull: {
      async reach(page) {
        await press(page, 'Stop buying');
        await see(page, 'Notice for customers');
      },
    },
    loading: { answers: { brakes: silence } },
    failed: {
      answers: { brakes: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
  },
);
