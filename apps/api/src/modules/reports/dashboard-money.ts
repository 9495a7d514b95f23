/**
 * The part of the dashboard about value: the programme's debt to customers, the movements of value, and the costs of campaigns and
 * disputes.
 */
import { microAth, usdCents, usdOfTokens, centsNumber, type Rate } from '@athos/domain/money';
import {
  accountCode,
  assetOfAccount,
  selectProgrammeAccounts,
  systemAccountId,
  TransferKind,
  type LedgerAccount,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { selectCampaignTitles } from '../campaigns/index.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { selectDays, selectNewestGauge, type DayFigure, type Days } from './dashboard.sql.ts';
import { countNumber, countOn, type DashboardDeps, type RangeQuery } from './dashboard.ts';
import { addDays, comparedDays, eachDay, localTime } from './days.ts';
import { DORMANT_AFTER_DAYS, DORMANT_METRIC } from './dormant.ts';
import { CUSTOMERS_ATH, FLOW_METRIC, flowOf, type FlowKind } from './flows.ts';
import { selectTotals } from './stats.sql.ts';
import { rememberUntilCount } from './until-count.ts';
import { dateOf } from '../../platform/clock.ts';

const ISSUANCE = systemAccountId('issuance', 'ATH');
const CARD_METRICS = ['refunded', 'disputed', 'card_paid'];

interface Flow extends FlowKind {
  readonly units: bigint;
}
interface FlowOfDay extends Flow {
  readonly day: string;
}

const isAth = ({ debitId }: FlowKind): boolean => assetOfAccount(debitId) === 'ATH';
const ofKind =
  (...kinds: readonly number[]) =>
  ({ kind }: FlowKind): boolean =>
    kinds.includes(kind);

/** Classifies the movements. Tips between customers move value, but do not spend it. */
const FLOWS = {
  issued: ({ debitId }: FlowKind) => debitId === ISSUANCE,
  bought: ofKind(TransferKind.CardCredit),
  rewarded: ofKind(TransferKind.Reward),
  spent: (flow: FlowKind) =>
    flow.debitId === CUSTOMERS_ATH &&
    flow.creditId !== CUSTOMERS_ATH &&
    ofKind(TransferKind.Purchase, TransferKind.Tip)(flow),
  forfeited: ofKind(TransferKind.Forfeit),
} as const satisfies Record<string, (flow: FlowKind) => boolean>;

const IN_TRANSIT = systemAccountId('in_transit', 'ATH');
/** Value on its way from one customer to another counts as the customers'. */
const withTransit = <F extends FlowKind>(flow: F): F => ({
  ...flow,
  debitId: flow.debitId === IN_TRANSIT ? CUSTOMERS_ATH : flow.debitId,
  creditId: flow.creditId === IN_TRANSIT ? CUSTOMERS_ATH : flow.creditId,
});

/** The change in the total balance of all customers. */
const netOf = ({ debitId, creditId, units }: Flow): bigint =>
  (creditId === CUSTOMERS_ATH ? units : 0n) - (debitId === CUSTOMERS_ATH ? units : 0n);

const sum = (flows: readonly Flow[], isCounted: (flow: FlowKind) => boolean): bigint =>
  flows.reduce((total, flow) => (isCounted(flow) ? total + flow.units : total), 0n);

const flowsOf = (figures: readonly DayFigure[]): FlowOfDay[] =>
  figures
    .map(({ dimension, day, units }) => withTransit({ ...flowOf(dimension), day, units }))
    .filter(isAth);

function presentFlows(flows: readonly FlowOfDay[], range: Days) {
  const byDay = Map.groupBy(flows, ({ day }) => day);
  return eachDay(range).map((day) => {
    const ofDay = byDay.get(day) ?? [];
    const units = (name: keyof typeof FLOWS) => sum(ofDay, FLOWS[name]).toString();
    return {
      day,
      issued: units('issued'),
      bought: units('bought'),
      rewarded: units('rewarded'),
      spent: units('spent'),
      forfeited: units('forfeited'),
    };
  });
}

function presentCardLosses(figures: readonly DayFigure[], range: Days) {
  const count = countOn(figures);
  const cents = new Map(
    figures.flatMap(({ metric, day, units }) => (metric === 'refunded' ? [[day, units]] : [])),
  );
  return eachDay(range).map((day) => ({
    day,
    refunds: count('refunded', day),
    refunded_cents: centsNumber(usdCents(cents.get(day) ?? 0n)),
    disputes: count('disputed', day),
    payments: count('card_paid', day),
  }));
}

const worth = (units: bigint, rate: bigint | undefined): number | null =>
  rate === undefined ? null : centsNumber(usdOfTokens(microAth(units), rate as Rate));

/** The rate at the end of each day: that of the day, or of the last earlier day that has one. */
async function readRates(db: Db, range: Days): Promise<(day: string) => bigint | undefined> {
  const [before, figures] = await Promise.all([
    selectNewestGauge(db, 'rate', addDays(range.from, -1)),
    selectDays(db, ['rate'], range),
  ]);
  const ofDay = new Map(figures.map(({ day, units }) => [day, units]));
  const rates = new Map<string, bigint | undefined>();
  let rate = before?.units;
  for (const day of eachDay(range)) {
    rate = ofDay.get(day) ?? rate;
    rates.set(day, rate);
  }
  return (day) => rates.get(day);
}

const balanceOf = (accounts: readonly LedgerAccount[], id: LedgerAccountId): bigint =>
  accounts.find((account) => account.id === id)?.balanceUnits ?? 0n;

interface Counted {
  /** The flows in the range, and on the days after it until now. */
  readonly flows: readonly FlowOfDay[];
  /** The flows since the beginning. */
  readonly totals: readonly Flow[];
}

/** The balance at the end of each day, computed backwards: the total of all counted flows, less the flows after that day. */
async function presentByDay(db: Db, range: Days, { flows, totals }: Counted) {
  const rateOn = await readRates(db, range);
  const changes = new Map<string, bigint>();
  for (const flow of flows) changes.set(flow.day, (changes.get(flow.day) ?? 0n) + netOf(flow));
  let units = totals.reduce((total, flow) => total + netOf(flow), 0n);
  for (const [day, change] of changes) if (day > range.to) units -= change;
  return eachDay(range)
    .toReversed()
    .map((day) => {
      const atEnd = units;
      units -= changes.get(day) ?? 0n;
      return { day, units: atEnd.toString(), cents: worth(atEnd, rateOn(day)) };
    })
    .toReversed();
}

/** The programme's current debt to customers, computed from its own accounts. */
function presentOwed(accounts: readonly LedgerAccount[], rate: bigint | undefined) {
  const ownUnits = accounts
    .filter(({ id }) => assetOfAccount(id) === 'ATH' && id !== IN_TRANSIT)
    .reduce((total, { balanceUnits }) => total + balanceUnits, 0n);
  const held =
    balanceOf(accounts, systemAccountId('holds', 'ATH')) +
    balanceOf(accounts, systemAccountId('dispute_hold', 'ATH'));
  return {
    units: (-ownUnits).toString(),
    cents: worth(-ownUnits, rate),
    held: held.toString(),
    breakage: balanceOf(accounts, systemAccountId('breakage', 'ATH')).toString(),
  };
}

/** Balances of accounts that have not been used for a long time, as last counted. */
async function presentDormant(db: Db, today: string) {
  const dormant = await selectNewestGauge(db, DORMANT_METRIC, today);
  if (dormant === undefined) return null;
  const { day, count, units } = dormant;
  return { days: DORMANT_AFTER_DAYS, day, accounts: countNumber(count), units: units.toString() };
}

const campaignOf = (id: LedgerAccountId): number | undefined => {
  const [, campaignId] = /^campaign_(\d+)$/.exec(accountCode(id) ?? '') ?? [];
  return campaignId === undefined ? undefined : parseInt(campaignId, 10);
};

/** The budget of each campaign less the returned amount, and the amount that it paid. */
async function presentCampaigns(db: Db, inRange: readonly Flow[], { totals }: Counted) {
  const costs = (flows: readonly Flow[]) =>
    Map.groupBy(flows.filter(ofKind(TransferKind.Reward)), ({ debitId }) => campaignOf(debitId));
  const [all, recent] = [costs(totals), costs(inRange)];
  const budgets = new Map<number, bigint>();
  for (const { debitId, creditId, kind, units } of totals) {
    const [from, to] = [campaignOf(debitId), campaignOf(creditId)];
    if (to !== undefined) budgets.set(to, (budgets.get(to) ?? 0n) + units);
    if (from !== undefined && kind === TransferKind.BudgetReturn) {
      budgets.set(from, (budgets.get(from) ?? 0n) - units);
    }
  }
  const titles = await selectCampaignTitles(db, [...budgets.keys()]);
  const unitsOf = (flows: readonly Flow[] | undefined): bigint => sum(flows ?? [], () => true);
  return [...budgets]
    .map(([id, budget]) => ({
      id,
      title: titles.get(id) ?? '',
      budget,
      cost: unitsOf(all.get(id)),
      inRange: unitsOf(recent.get(id)),
    }))
    .filter(({ budget, cost, inRange: now }) => now > 0n || cost < budget)
    .toSorted((one, other) => (one.inRange > other.inRange ? -1 : 1))
    .map(({ id, title, budget, cost, inRange: now }) => ({
      id,
      title,
      budget: budget.toString(),
      cost: cost.toString(),
      cost_in_range: now.toString(),
    }));
}

interface Asked extends RangeQuery {
  readonly today: string;
}

async function computeMoney(
  db: Db,
  { from, to, compare, today }: Asked,
  countedUntil: Date | undefined,
) {
  const range = { from, to };
  const compared = comparedDays(range, compare);
  const [figures, before, cards, cardsBefore, totals] = await Promise.all([
    selectDays(db, [FLOW_METRIC], { from, to: to < today ? today : to }),
    compared && selectDays(db, [FLOW_METRIC], compared),
    selectDays(db, CARD_METRICS, range),
    compared && selectDays(db, CARD_METRICS, compared),
    selectTotals(db, FLOW_METRIC),
  ]);
  const flows = flowsOf(figures);
  const counted: Counted = {
    flows,
    totals: totals
      .map(({ dimension, units }) => withTransit({ ...flowOf(dimension), units }))
      .filter(isAth),
  };
  const inRange = flows.filter(({ day }) => day <= to);
  const [dormant, byDay, campaigns] = await Promise.all([
    presentDormant(db, today),
    presentByDay(db, range, counted),
    presentCampaigns(db, inRange, counted),
  ]);
  return {
    dormant,
    byDay,
    answer: {
      range,
      compared: compared ?? null,
      counted_until: countedUntil?.toISOString() ?? null,
      flows: {
        days: presentFlows(inRange, range),
        days_before: compared === undefined ? [] : presentFlows(flowsOf(before ?? []), compared),
      },
      card_losses: {
        days: presentCardLosses(cards, range),
        days_before: compared === undefined ? [] : presentCardLosses(cardsBefore ?? [], compared),
      },
      campaigns,
    },
  };
}

export function createDashboardMoney({ db, clock, config }: DashboardDeps) {
  const remember = rememberUntilCount<Awaited<ReturnType<typeof computeMoney>>>(db);

  return async ({ from, to, compare }: RangeQuery) => {
    const asked = {
      from,
      to,
      compare,
      today: localTime(dateOf(clock), config.console.timeZone).day,
    };
    const [{ dormant, byDay, answer }, accounts, rate] = await Promise.all([
      remember(JSON.stringify(asked), (countedUntil) => computeMoney(db, asked, countedUntil)),
      selectProgrammeAccounts(db),
      selectCurrentRate(db),
    ]);
    return {
      ...answer,
      outstanding: { ...presentOwed(accounts, rate), dormant, by_day: byDay },
    };
  };
}
