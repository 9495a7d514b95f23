/** The charts about value, for people who may see money. */
import { m } from '@athos/messages/messages';
import type { AdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Amounts } from '../../kit/amounts.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Bars, columnOf } from '../../kit/charts/bars.tsx';
import { LineChart } from '../../kit/charts/line-chart.tsx';
import type { Series } from '../../kit/charts/series.ts';
import { FailureView } from '../../kit/failure.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { dayText } from '../../kit/time.tsx';
import { countText } from './count-charts.tsx';

type DashboardMoney = AdminAnswer<'dashboardMoney'>;

const MICRO_PER_TOKEN = 1_000_000;
/** Above this share of disputes, the card networks take measures. */
const DISPUTE_RATE_MAX = 0.0065;

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const compactText = (value: number): string => COMPACT.format(value);

/** Micro-units as a number of tokens for drawing. The text shows the exact amount. */
const drawn = (units: string): number => Number.parseInt(units, 10) / MICRO_PER_TOKEN;

/** `1204.5`, for machine-readable output. */
const rawText = (text: string): string =>
  text.replaceAll(',', '').replaceAll('−', '-').split(' ')[0] ?? '';

function athSeries(label: string, amounts: readonly string[]): Series {
  const texts = amounts.map((units) => moneyText(units, 'ATH'));
  return { label, values: amounts.map(drawn), texts, raws: texts.map(rawText) };
}

function usdSeries(label: string, cents: readonly (number | null)[]): Series {
  const texts = cents.map((value) => (value === null ? '–' : moneyText(String(value), 'USD')));
  return {
    label,
    values: cents.map((value) => (value === null ? undefined : value / 100)),
    texts,
    raws: cents.map((value, index) => (value === null ? '' : rawText(texts[index] ?? ''))),
  };
}

export function MoneyCharts({ item, failure, reload }: AdminItem<DashboardMoney>) {
  if (item === undefined) {
    return failure === undefined ? null : <FailureView failure={failure} onRetry={reload} />;
  }
  return (
    <>
      <OutstandingChart outstanding={item.outstanding} />
      <FlowChart flows={item.flows} />
      <LossChart losses={item.cardLosses} />
      <CampaignChart campaigns={item.campaigns} />
    </>
  );
}

/** The tokens that the programme owes its customers (O-059). */
function OutstandingChart({ outstanding }: Pick<DashboardMoney, 'outstanding'>) {
  const { units, cents, held, breakage, dormant, byDay } = outstanding;
  return (
    <LineChart
      title={m.dashboard_outstanding()}
      lead={
        <div className="flex flex-col gap-2">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-display text-headline min-w-0 font-bold tracking-tight wrap-anywhere">
              <Money units={units} asset="ATH" />
            </span>
            {cents !== null && (
              <span className="text-dense text-ink-quiet">
                {m.dashboard_worth({ usd: moneyText(String(cents), 'USD') })}
              </span>
            )}
          </p>
          <Amounts
            lines={[
              { label: m.dashboard_held(), units: held, asset: 'ATH' },
              { label: m.dashboard_breakage(), units: breakage, asset: 'ATH' },
              ...(dormant === null
                ? []
                : [
                    {
                      label: m.dashboard_dormant({ days: dormant.days }),
                      units: dormant.units,
                      asset: 'ATH' as const,
                    },
                  ]),
            ]}
          />
        </div>
      }
      rowLabel={m.dashboard_day()}
      rows={byDay.map(({ day }) => dayText(day))}
      series={[
        athSeries(
          m.dashboard_outstanding(),
          byDay.map((day) => day.units),
        ),
      ]}
      more={[
        usdSeries(
          m.dashboard_outstanding_usd(),
          byDay.map((day) => day.cents),
        ),
      ]}
      axisText={compactText}
      isFromZero={false}
    />
  );
}

type FlowDay = DashboardMoney['flows']['days'][number];

const FLOWS: readonly (readonly [() => string, (day: FlowDay) => string])[] = [
  [m.dashboard_flow_bought, ({ bought }) => bought],
  [m.dashboard_flow_spent, ({ spent }) => spent],
  [m.dashboard_flow_rewarded, ({ rewarded }) => rewarded],
  [m.dashboard_flow_issued, ({ issued }) => issued],
  [m.dashboard_flow_forfeited, ({ forfeited }) => forfeited],
];

/** The label of a series in the previous period: `Bought before`. */
const beforeLabel = (series: string): string => m.dashboard_before_of({ series });

function FlowChart({ flows: { days, daysBefore } }: Pick<DashboardMoney, 'flows'>) {
  const isCompared = daysBefore.length > 0;
  return (
    <LineChart
      title={m.dashboard_flows()}
      rowLabel={m.dashboard_day()}
      rows={days.map(({ day }) => dayText(day))}
      series={FLOWS.map(([label, of]) => athSeries(label(), days.map(of)))}
      before={
        isCompared
          ? FLOWS.map(([label, of]) => athSeries(beforeLabel(label()), daysBefore.map(of)))
          : []
      }
      axisText={compactText}
    />
  );
}

type LossDay = DashboardMoney['cardLosses']['days'][number];

const total = (days: readonly LossDay[], of: (day: LossDay) => number): number =>
  days.reduce((sum, day) => sum + of(day), 0);

/** The number of disputes per card payment. */
function disputeRate(days: readonly LossDay[]): number {
  const payments = total(days, (day) => day.payments);
  return payments === 0 ? 0 : total(days, (day) => day.disputes) / payments;
}

const rateText = (rate: number): string => `${(rate * 100).toFixed(2)}%`;

const isAnything = (days: readonly LossDay[]): boolean =>
  days.some(({ payments, disputes, refunds }) => payments + disputes + refunds > 0);

function DisputeRate({ days, daysBefore }: DashboardMoney['cardLosses']) {
  const rate = disputeRate(days);
  return (
    <p className="text-dense flex flex-wrap items-center gap-2">
      {m.dashboard_dispute_rate({ rate: rateText(rate), limit: rateText(DISPUTE_RATE_MAX) })}
      {rate > DISPUTE_RATE_MAX && <Badge tone="danger">{m.dashboard_dispute_rate_above()}</Badge>}
      {isAnything(daysBefore) && (
        <span className="text-caption text-ink-quiet">
          {m.dashboard_before_value({ value: rateText(disputeRate(daysBefore)) })}
        </span>
      )}
    </p>
  );
}

const refundsOf = (label: string, days: readonly LossDay[]): Series =>
  columnOf(
    label,
    days.map(({ refunds }) => refunds),
  );
const disputesOf = (label: string, days: readonly LossDay[]): Series =>
  columnOf(
    label,
    days.map(({ disputes }) => disputes),
  );

function LossChart({ losses: { days, daysBefore } }: { losses: DashboardMoney['cardLosses'] }) {
  const isNone = !isAnything(days);
  const [refunds, disputes] = [m.dashboard_losses_refunds(), m.dashboard_losses_disputes()];
  return (
    <LineChart
      title={m.dashboard_losses()}
      lead={!isNone && <DisputeRate days={days} daysBefore={daysBefore} />}
      rowLabel={m.dashboard_day()}
      rows={days.map(({ day }) => dayText(day))}
      series={[refundsOf(refunds, days), disputesOf(disputes, days)]}
      before={
        daysBefore.length > 0
          ? [
              refundsOf(beforeLabel(refunds), daysBefore),
              disputesOf(beforeLabel(disputes), daysBefore),
            ]
          : []
      }
      more={[
        usdSeries(
          m.dashboard_losses_refunded(),
          days.map((day) => day.refundedCents),
        ),
        columnOf(
          m.dashboard_losses_payments(),
          days.map((day) => day.payments),
        ),
      ]}
      axisText={countText}
      isCount
      emptyText={isNone ? m.dashboard_losses_none() : undefined}
    />
  );
}

function CampaignChart({ campaigns }: Pick<DashboardMoney, 'campaigns'>) {
  const column = (label: string, of: (one: (typeof campaigns)[number]) => string) =>
    athSeries(label, campaigns.map(of));
  return (
    <Bars
      title={m.dashboard_campaigns()}
      table={{
        rowLabel: m.dashboard_campaign(),
        rows: campaigns.map(({ title }) => title),
        columns: [
          column(m.dashboard_campaign_cost(), ({ cost }) => cost),
          column(m.dashboard_campaign_budget(), ({ budget }) => budget),
          column(m.dashboard_campaign_now(), ({ costInRange }) => costInRange),
        ],
      }}
      bars={campaigns.map(({ title, cost, budget }) => ({
        label: title,
        value: drawn(cost),
        whole: drawn(budget),
        text: m.dashboard_of({
          part: moneyText(cost, 'ATH'),
          whole: moneyText(budget, 'ATH'),
        }),
      }))}
      emptyText={campaigns.length === 0 ? m.dashboard_campaigns_none() : undefined}
    />
  );
}
