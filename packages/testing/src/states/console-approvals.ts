import { approval, ownApproval } from '../samples/console-approvals.ts';
import { consoleAnswers } from '../samples/console.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

const REQUEST = '/console/approvals/0192f0f0-0000-7000-8000-000000000001';

export const approvalStates = statesOf(
  'console-approvals',
  {
    isVisitor: true,
    answers: consoleAnswers,
    path: '/console/approvals',
    widths: [390, 768, 1440],
  },
  {
    filled: { reach: seen('3 of 3 shown') },
    empty: {
      answers: {
        approvals: () => ({
          items: [],
          next_cursor: null,
          count: { value: 0, is_at_least: false },
          other_decider_count: 3,
        }),
      },
      reach: seen('Nothing is waiting for your vote.'),
    },
    alone: {
      answers: {
        approvals: () => ({
          items: [],
          next_cursor: null,
          count: { value: 0, is_at_least: false },
          other_decider_count: 0,
        }),
      },
      reach: seen('Nobody else can decide'),
    },
    request: { path: REQUEST, reach: seen('Check carefully') },
    own: {
      path: REQUEST,
      answers: { approval: ownApproval },
      reach: seen('You cannot decide on your own request.'),
    },
    approve: {
      path: REQUEST,
      async reach(page) {
        await press(page, 'Approve');
        await see(page, /Your vote carries out/);
      },
    },
    reject: {
      path: REQUEST,
      async reach(page) {
        await press(page, 'Reject');
        await page.getByRole('dialog', { name: 'Reject' }).waitFor();
      },
    },
    executed: {
      path: REQUEST,
      answers: {
        approval: () =>
          approval({
            state: 'executed',
            votes_given: 1,
            obstacle: 'ended',
            ended_at: new Date().toISOString(),
            is_value_held: false,
            votes: [
              {
                staff: { id: 'a', name: 'Ada Njoroge' },
                is_approved: true,
                at: new Date().toISOString(),
                reason: null,
              },
            ],
          }),
      },
      reach: seen('Approved by Ada Njoroge'),
    },
  },
);
