/** The exchange rate, as the API returns it to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type RateNow = ConsoleAnswerOf<'rateNow'>;

const HOUR_MS = 3_600_000;
const at = (hoursAhead: number): string =>
  new Date(Date.now() + hoursAhead * HOUR_MS).toISOString();

/** A rate published manually, with a scheduled one. */
export const rateNow = (more: Partial<RateNow> = {}): RateNow => ({
  current: {
    usd_per_ath: '0.1683',
    in_force_from: at(-7),
    confirmed_at: at(0),
    is_by_vote: false,
  },
  is_too_old: false,
  max_age_seconds: 300,
  source: { kind: 'console', host: null },
  guard_rails: {
    lowest: '0.0168',
    highest: '1.683',
    step_percent_max: 10,
    hour_percent_max: 25,
    day_percent_max: 50,
  },
  schedule: [
    {
      id: '0192abab-0000-7000-8000-000000000001',
      usd_per_ath: '0.171',
      in_force_from: at(2),
      is_by_vote: false,
    },
  ],
  refused: null,
  ...more,
});

/** A feed reported ten times the current rate. */
export const refusedRate = (): RateNow =>
  rateNow({
    source: { kind: 'url', host: 'rates.example' },
    schedule: [],
    is_too_old: true,
    refused: {
      approval_id: '0192f0f0-0000-7000-8000-000000000001',
      usd_per_ath: '1.6712',
      requested_at: at(-0.2),
    },
  });

const POINTS = 49;

export const rateAnswers: Handlers = {
  rateNow: () => rateNow(),
  rateSeries: () => ({
    items: Array.from({ length: POINTS }, (_, index) => ({
      at: at((index - POINTS + 1) / 2),
      usd_per_ath: (0.1683 + 0.004 * Math.sin(index / 7)).toFixed(4),
    })),
  }),
  scheduleRate: () => ({ outcome: 'done' }),
  cancelRate: () => ({ success: true }),
};
