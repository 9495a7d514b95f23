import { problem, silence } from '../fake-api.ts';
import { ownSessions } from '../samples/security.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const sessions = statesOf(
  'security',
  { path: '/app/settings/security' },
  {
    filled: { isWhole: true, reach: seen('This device') },
    alone: {
      answers: { sessions: () => ({ sessions: ownSessions.filter((one) => one.is_current) }) },
      reach: seen('This device'),
    },
    loading: { answers: { sessions: silence }, reach: seen('Signed-in devices') },
    failed: {
      answers: { sessions: () => problem('internal_error') },
      reach: seen('could not be loaded'),
    },
    ended: {
      reach: async (page) => {
        await press(page, 'End all others');
        await see(page, 'Signed out there');
      },
    },
  },
);

export const securityStates: readonly ScreenState[] = [...sessions];
