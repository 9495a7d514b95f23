/** The acts of everybody in the demo's past, decided without a database: the same words and the same end give the same plan. */
import { rateText, type Rate } from '@athos/domain/money';
import type { Scene } from './acts.ts';
import { createCalendar, type Moment } from './calendar.ts';
import { pastCampaigns } from './campaigns.ts';
import { castOf, type CastMember } from './cast.ts';
import { createCrowd, type Person } from './crowd.ts';
import { Planner } from './planner.ts';
import { Random } from './random.ts';
import { curves, shareOf, spread, VOLUMES, type Volumes } from './volumes.ts';

export interface PlanOptions {
  readonly words: string;
  readonly endMs: number;
  readonly dayCount: number;
  readonly timeZone: string;
}

export interface Plan {
  readonly people: readonly Person[];
  readonly cast: readonly CastMember[];
  readonly scenes: readonly Scene[];
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS_OF_VOLUMES = 90;
/** The rate moves around this value, in hundred-millionths of a dollar, as it does afterwards with `RATE_SOURCE=walk`. */
const RATE_MIDDLE = 16_830_000;
const RATE_GRAIN = 10_000;
/** The number of moments for which a rate holds. */
const RATE_MOMENTS = 4;
/** The share of people who sign up and then follow the link in their mail. */
const VERIFIED_SHARE = 0.88;

/** A time of the history: 0 is its beginning, 1 its end. */
export const timeOfShare = (share: number, { endMs, dayCount }: PlanOptions): number =>
  endMs - (1 - share) * dayCount * DAY_MS;

/** The rates of the moments: a random walk that ends near the middle, in steps so small that no guard rail refuses them. */
function planRates(words: string, count: number): readonly string[] {
  const random = new Random(`${words} rates`);
  let share = -0.04;
  return Array.from({ length: count }, (_, index) => {
    if (index % RATE_MOMENTS === 0) share += -share * 0.016 + (random.next() - 0.5) * 0.006;
    const rate = Math.round((RATE_MIDDLE * (1 + share)) / RATE_GRAIN) * RATE_GRAIN;
    return rateText(BigInt(rate) as Rate);
  });
}

function countActs(volumes: Volumes, moments: readonly Moment[], dayCount: number) {
  const shapes = curves(dayCount);
  return Object.fromEntries(
    Object.entries(shapes).map(([what, shape]) => [
      what,
      spread(volumes[what as keyof Volumes], moments, shape),
    ]),
  ) as Record<keyof typeof shapes, readonly number[]>;
}

/** Returns a function that plays the steps of stories whose time has come. */
function createStories(cast: readonly CastMember[], options: PlanOptions, planner: Planner) {
  const steps = cast.flatMap((member) => [
    { member, what: 'order' as const, atMs: timeOfShare(member.order, options) },
    ...(member.spend === undefined
      ? []
      : [{ member, what: 'spend' as const, atMs: timeOfShare(member.spend, options) }]),
  ]);
  const done = new Set<(typeof steps)[number]>();
  return ({ at }: Moment): void => {
    for (const step of steps) {
      if (step.atMs > at || done.has(step)) continue;
      if (planner.playStory(step.member, step.what)) done.add(step);
    }
  };
}

export function makePlan(options: PlanOptions): Plan {
  const { words, endMs, dayCount } = options;
  const moments = createCalendar(words, options);
  const volumes = shareOf(VOLUMES, dayCount / DAYS_OF_VOLUMES);
  const signUpCount = Math.round(volumes.people / VERIFIED_SHARE);
  const people = createCrowd(words, signUpCount);
  const cast = castOf(people);
  const counts = countActs({ ...volumes, people: signUpCount }, moments, dayCount);
  const codes = pastCampaigns(options).flatMap((campaign) => campaign.codes);
  const rates = planRates(words, moments.length);
  const luck = new Random(`${words} verified`);
  const planner = new Planner(new Random(`${words} acts`), endMs);
  const playStories = createStories(cast, options, planner);
  const coming = [...people];
  const scenes = moments.map((moment, index): Scene => {
    const rate = rates[index] ?? '';
    const countOf = (what: keyof typeof counts): number => counts[what][index] ?? 0;
    planner.begin(moment, rate);
    for (const person of coming.splice(0, countOf('people'))) {
      const hasStory = cast.some((member) => member.person === person);
      planner.signUp(person, hasStory || luck.chance(VERIFIED_SHARE));
    }
    playStories(moment);
    planner.repeat('refund_order', countOf('cardRefunds'), () => planner.orderToRefund());
    planner.repeat('refund_purchase', countOf('purchaseRefunds'), () => planner.refundPurchase());
    planner.repeat('order', countOf('orders'), () => planner.order());
    planner.repeat('claim', countOf('claims'), () => planner.claim(codes));
    planner.repeat('redeem', countOf('redemptions'), () => planner.redeem());
    planner.repeat('buy', countOf('items'), () => planner.buy());
    planner.repeat('send', countOf('sends'), () => planner.send());
    planner.repeat('tip', countOf('tips'), () => planner.tip());
    return { ...moment, acts: planner.acts, rateText: rate };
  });
  return { people, cast, scenes };
}
