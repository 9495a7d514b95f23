/** A plan that cannot be carried out would stop `npm start`, and the plan depends on the time of that start. */
import { brand } from '@athos/brand/brand';
import { parseRate, usdCents } from '@athos/domain/money';
import { tokensWorth } from '@athos/domain/purchase-price';
import { expect, it } from 'vitest';
import type { Act, Scene } from './acts.ts';
import { pastCampaigns } from './campaigns.ts';
import { HISTORY_DAYS } from './history.ts';
import { pastOffers } from './offers.ts';
import { makePlan, type PlanOptions } from './plan.ts';

const DAY_MS = 24 * 60 * 60_000;
const FIRST_END_MS = Date.UTC(2026, 0, 1);
/** With this step, the ends fall on every weekday, hour and month. */
const END_STEP_MS = 13.3 * DAY_MS;
const END_COUNT = 27;
/** The amount that staff may refund to one person in 30 days without a vote. */
const REFUNDED_HUNDREDTHS_MAX = 10_000;
const REFUNDED_USD_CENTS_MAX = 10_000;

const priceOf = new Map(pastOffers.map(({ id, priceHundredths }) => [id, priceHundredths]));

/** A person's balance in hundredths of an ATH, which may fall below 0 here, and the person's refunds. */
class Purse {
  hundredths = 0;
  readonly refunds: { atMs: number; hundredths: number; usdCents: number }[] = [];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Returns the faults of the plan. Within a moment, all spends are counted before anything arrives. */
function faultsOf(options: PlanOptions): string[] {
  const faults: string[] = [];
  const purses = new Map<number, Purse>();
  const purseOf = (person: number): Purse => {
    const purse = purses.get(person) ?? new Purse();
    purses.set(person, purse);
    return purse;
  };
  const codes = new Map(
    pastCampaigns(options).flatMap(({ codes: own }) =>
      own.map(({ text, hundredths }) => [text, hundredths]),
    ),
  );
  const spent = new Map<number, number>();
  const bought = new Map<number, { hundredths: number; usdCents: number }>();

  const paidBy = (act: Act): number => {
    if (act.kind === 'send' || act.kind === 'tip') return act.hundredths;
    if (act.kind === 'refund_order') return bought.get(act.no)?.hundredths ?? NaN;
    if (act.kind !== 'buy') return 0;
    const price = sum(
      act.lines.map(({ offerId, itemCount }) => itemCount * (priceOf.get(offerId) ?? NaN)),
    );
    spent.set(act.no, price);
    return price;
  };
  const receive = (act: Act, { rateText }: Scene): void => {
    if (act.kind === 'send') purseOf(act.to).hundredths += act.hundredths;
    if (act.kind === 'claim') purseOf(act.person).hundredths += codes.get(act.code) ?? NaN;
    if (act.kind === 'refund_purchase') purseOf(act.person).hundredths += spent.get(act.no) ?? NaN;
    if (act.kind !== 'order' || act.end !== 'paid') return;
    const tokens = tokensWorth(
      usdCents(BigInt(act.usdCents)),
      parseRate(rateText) ?? expect.fail(rateText),
    );
    const hundredths = parseInt((tokens / 10_000n).toString(), 10);
    bought.set(act.no, { hundredths, usdCents: act.usdCents });
    purseOf(act.person).hundredths += hundredths;
  };
  const noteRefund = (act: Act, atMs: number): void => {
    if (act.kind !== 'refund_order' && act.kind !== 'refund_purchase') return;
    const { refunds } = purseOf(act.person);
    const hundredths = act.kind === 'refund_purchase' ? (spent.get(act.no) ?? NaN) : 0;
    const cents = act.kind === 'refund_order' ? (bought.get(act.no)?.usdCents ?? NaN) : 0;
    refunds.push({ atMs, hundredths, usdCents: cents });
    const late = refunds.filter((refund) => refund.atMs > atMs - 30 * DAY_MS);
    const isVoted =
      sum(late.map((refund) => refund.hundredths)) > REFUNDED_HUNDREDTHS_MAX ||
      sum(late.map((refund) => refund.usdCents)) > REFUNDED_USD_CENTS_MAX;
    if (isVoted) faults.push(`the refunds of ${act.person} need a vote`);
  };

  for (const scene of makePlan(options).scenes) {
    for (const act of scene.acts) {
      const purse = purseOf(act.person);
      purse.hundredths -= paidBy(act);
      if (!(purse.hundredths >= 0)) faults.push(`${act.person} cannot pay for ${act.kind}`);
    }
    for (const act of scene.acts) {
      receive(act, scene);
      noteRefund(act, scene.at);
    }
  }
  return faults;
}

it.each([
  { words: brand.name, dayCount: HISTORY_DAYS, timeZone: 'UTC' },
  { words: brand.name, dayCount: HISTORY_DAYS, timeZone: 'Pacific/Auckland' },
  { words: 'tests', dayCount: 6, timeZone: 'UTC' },
])('[O-168] a past of $dayCount days ($timeZone) can be paid for, whenever it ends', (given) => {
  const ends = Array.from({ length: END_COUNT }, (_, index) => FIRST_END_MS + index * END_STEP_MS);
  const wrong = ends.flatMap((endMs) =>
    faultsOf({ ...given, endMs }).map((fault) => `${new Date(endMs).toISOString()}: ${fault}`),
  );
  expect(wrong).toEqual([]);
});
