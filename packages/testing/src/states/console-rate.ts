import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { rateNow, refusedRate } from '../samples/console-rate.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

export const rateStates = statesOf(
  'console-rate',
  { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440], path: '/console/rate' },
  {
    filled: { reach: seen('Scheduled') },
    refused: {
      answers: { rateNow: refusedRate },
      reach: seen('1.6712 was not published'),
    },
    none: {
      answers: {
        rateNow: () => rateNow({ current: null, is_too_old: true, schedule: [] }),
        rateSeries: () => ({ items: [] }),
      },
      reach: seen('Nobody can buy at the moment'),
    },
    schedule: {
      async reach(page) {
        await press(page, 'Schedule a rate');
        await see(page, 'In force: 0.1683');
      },
    },
    loading: { answers: { rateNow: silence } },
    failed: {
      answers: { rateNow: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
  },
);
