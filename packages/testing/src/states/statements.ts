import { problem, silence } from '../fake-api.ts';
import { seen } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

export const statementStates: readonly ScreenState[] = statesOf(
  'statements',
  { path: '/app/statements' },
  {
    filled: { isWhole: true, reach: seen('Show as a table') },
    table: {
      isWhole: true,
      reach: async (page) => {
        await page.getByText('Show as a table').click();
        await page.getByRole('columnheader', { name: 'Day' }).waitFor();
      },
    },
    loading: {
      answers: { statements: silence, balanceHistory: silence },
      reach: (page) => page.getByRole('status', { name: 'Loading statements' }).waitFor(),
    },
    failed: {
      answers: {
        statements: () => problem('forbidden'),
        balanceHistory: () => problem('too_many_movements'),
      },
      reach: seen('The statements could not be loaded.'),
    },
  },
);
