/** The settings of the programme, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Settings = ConsoleAnswerOf<'settings'>;

const setting = (
  key: string,
  about: string,
  value: unknown,
  more: Partial<Settings['items'][number]> = {},
): Settings['items'][number] => ({
  key,
  about,
  value,
  by_default: value,
  is_default: true,
  bounds: [],
  changed: null,
  approval_id: null,
  ...more,
});

const bound = (member: string, min: number, max: number) => ({ member, min, max });
const VOTES = bound('votes', 1, 5);
const LIMIT_MAX = 10_000_000_000;

const settings = (): Settings => ({
  items: [
    setting('rate_lowest', 'The lowest rate that is published, in US dollars per ATH.', '0.0168'),
    setting('rate_highest', 'The highest rate that is published, in US dollars per ATH.', '1.683'),
    setting(
      'rate_step_percent_max',
      'How far a rate may be from the one before it, in per cent of that one.',
      10,
      { bounds: [bound('', 1, 1000)] },
    ),
    setting('sends_per_day_max', 'How often a user may send within 24 hours.', 500, {
      by_default: 2000,
      is_default: false,
      bounds: [bound('', 1, 1_000_000_000)],
      changed: { at: '2026-11-12T09:41:00.000Z', by: 'Mara Lindqvist' },
    }),
    setting(
      'step_up_rolling_usd',
      'How much a member of staff may move in US dollars before they confirm again that it is them.',
      500,
      {
        bounds: [bound('', 0, 1_000_000)],
        approval_id: '0192f0f0-0000-7000-8000-000000000001',
      },
    ),
    setting(
      'policy_credit',
      'Credits from goodwill, in ATH.',
      { direct_max: 50, customer_30_days_max: 200, votes: 1, voters: 'anyone' },
      {
        bounds: [
          bound('direct_max', 0, LIMIT_MAX),
          bound('customer_30_days_max', 0, LIMIT_MAX),
          VOTES,
        ],
      },
    ),
    setting(
      'policy_write_off',
      'Debts given up, in ATH.',
      { direct_max: 0, votes: 2, voters: 'provider', two_votes_above_usd: 1000 },
      {
        by_default: { direct_max: 0, votes: 1, voters: 'provider', two_votes_above_usd: 1000 },
        is_default: false,
        bounds: [bound('direct_max', 0, 0), VOTES, bound('two_votes_above_usd', 0, LIMIT_MAX)],
        changed: { at: '2026-11-03T15:02:00.000Z', by: 'command line: ops' },
      },
    ),
  ],
  installation: { time_zone: 'Europe/Berlin', seal_mail_to: 'seals@auditor.example' },
});

export const settingAnswers: Handlers = {
  settings,
  changeSetting: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000003',
    expires_at: new Date(Date.now() + 259_200_000).toISOString(),
    votes_needed: 1,
  }),
};
