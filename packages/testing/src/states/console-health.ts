import { problem, silence } from '../fake-api.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { job, JOB_ID, system } from '../samples/console-health.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const consoleHealthStates = [
  ...statesOf(
    'console-jobs',
    { ...shared, path: '/console/jobs' },
    {
      filled: { reach: seen('4 of 4 shown') },
      empty: { answers: { jobs: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { jobs: silence, jobQueue: silence } },
      failed: { answers: { jobs: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-job',
    { ...shared, path: `/console/jobs/${JOB_ID}` },
    {
      failed: { reach: seen(/mailbox is busy/) },
      waiting: {
        answers: { job: () => job({ state: 'waiting', attempts: 0, failure: null }) },
        reach: seen('It has not failed.'),
      },
      'give-up': {
        answers: { job: () => job({ state: 'retrying', attempts: 3 }) },
        async reach(page) {
          await press(page, 'Give up');
          await write(page, 'Reason', 'The address is gone.');
        },
      },
      meanwhile: {
        answers: { retryJob: () => problem('state_changed') },
        async reach(page) {
          await press(page, 'Run again');
          await see(page, 'Someone else has decided this meanwhile.');
        },
      },
      support: {
        answers: { me: () => staffWith(['support']) },
        reach: seen(/Needs the permission jobs.manage/),
      },
    },
  ),
  ...statesOf(
    'console-mails',
    { ...shared, path: '/console/mails' },
    {
      filled: { reach: seen('3 of 3 shown') },
      empty: { answers: { mails: emptyList }, reach: seen('Nothing yet') },
      failed: { answers: { mails: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-system',
    { ...shared, path: '/console/system' },
    {
      filled: { reach: seen('nightly, 12 GB') },
      quiet: {
        answers: { system: () => system({ processes: [], told: [] }) },
        reach: seen('No program has reported its state.'),
      },
      loading: { answers: { system: silence } },
      failed: { answers: { system: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
];
