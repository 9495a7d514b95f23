import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { customerList } from '../samples/console-customers.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  path: '/console/exports',
  widths: [390, 1440],
} as const;

export const exportStates = [
  ...statesOf('console-exports', shared, {
    filled: { reach: seen('1,000 of about 9,871 rows') },
    empty: {
      answers: {
        exports: () => ({
          items: [],
          next_cursor: null,
          count: { value: 0, is_at_least: false },
        }),
      },
      reach: seen('Nothing exported yet'),
    },
    loading: { answers: { exports: silence } },
    failed: {
      answers: { exports: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
  }),
  ...statesOf(
    'console-export-list',
    { ...shared, path: '/console/customers' },
    {
      contacts: {
        answers: {
          customers: () => customerList({ value: 10_000, is_at_least: true }),
        },
        async reach(page) {
          await press(page, 'Export');
          await page.getByText('With full email addresses').click();
          await see(page, /someone else must approve it first/);
        },
      },
    },
  ),
];
