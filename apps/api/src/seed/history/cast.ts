/** The few people of the demo's past with a story: disputes, a fraud warning, a hold. They stop acting when their story begins. */
import type { Person } from './crowd.ts';

/** Times are shares of the history: 0 is its beginning, 1 is now. */
export interface DisputeStory {
  readonly kind: 'chargeback' | 'inquiry' | 'prevented';
  readonly reason: string;
  readonly opened: number;
  readonly answered?: number;
  readonly ended?: number;
  readonly outcome: 'open' | 'won' | 'lost';
}

interface Story {
  /** When the person buys tokens for the last time. */
  readonly order: number;
  readonly usdCents: number;
  /** When the person spends all of them. */
  readonly spend?: number;
  readonly dispute?: DisputeStory;
  readonly warning?: number;
  /** When finance refunds a payment about which the bank has sent a warning. */
  readonly refunded?: number;
  readonly hold?: number;
}

export interface CastMember extends Story {
  readonly person: Person;
}

const STORIES: readonly Story[] = [
  // The person has spent the tokens whose payment the bank then takes back, so a debt remains.
  {
    order: 0.28,
    usdCents: 7_500,
    spend: 0.285,
    dispute: {
      kind: 'chargeback',
      reason: 'fraudulent',
      opened: 0.35,
      answered: 0.38,
      ended: 0.47,
      outcome: 'lost',
    },
  },
  {
    order: 0.22,
    usdCents: 3_000,
    dispute: {
      kind: 'chargeback',
      reason: 'unrecognized',
      opened: 0.3,
      ended: 0.42,
      outcome: 'lost',
    },
  },
  {
    order: 0.35,
    usdCents: 5_000,
    dispute: {
      kind: 'chargeback',
      reason: 'product_not_received',
      opened: 0.42,
      answered: 0.45,
      ended: 0.55,
      outcome: 'won',
    },
  },
  {
    order: 0.45,
    usdCents: 2_500,
    dispute: {
      kind: 'chargeback',
      reason: 'duplicate',
      opened: 0.55,
      answered: 0.58,
      ended: 0.72,
      outcome: 'won',
    },
  },
  {
    order: 0.7,
    usdCents: 10_000,
    dispute: {
      kind: 'chargeback',
      reason: 'product_unacceptable',
      opened: 0.86,
      answered: 0.9,
      outcome: 'open',
    },
  },
  {
    order: 0.8,
    usdCents: 4_000,
    dispute: { kind: 'chargeback', reason: 'fraudulent', opened: 0.955, outcome: 'open' },
  },
  {
    order: 0.82,
    usdCents: 2_000,
    dispute: { kind: 'inquiry', reason: 'unrecognized', opened: 0.965, outcome: 'open' },
  },
  {
    order: 0.5,
    usdCents: 3_000,
    dispute: { kind: 'inquiry', reason: 'general', opened: 0.6, ended: 0.68, outcome: 'won' },
  },
  { order: 0.93, usdCents: 5_000, warning: 0.97 },
  // The payment is refunded in time, so the dispute takes no money.
  {
    order: 0.69,
    usdCents: 4_000,
    warning: 0.785,
    refunded: 0.79,
    dispute: { kind: 'prevented', reason: 'fraudulent', opened: 0.83, outcome: 'open' },
  },
  { order: 0.6, usdCents: 2_500, hold: 0.98 },
];

/** The people of the cast are among the first to sign up. */
const FIRST_INDEX = 2;

export const castOf = (people: readonly Person[]): readonly CastMember[] =>
  STORIES.flatMap((story, index) => {
    const person = people[FIRST_INDEX + index];
    return person === undefined ? [] : { ...story, person };
  });
