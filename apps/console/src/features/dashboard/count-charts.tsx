/** The charts for everybody: the funnel of customers, card payments, sales and redemptions. */
import type { FunnelStep } from '@athos/contract/console/dashboard';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { Bars, columnOf, type Bar } from '../../kit/charts/bars.tsx';
import { HeatMap } from '../../kit/charts/heat-map.tsx';
import { LineChart } from '../../kit/charts/line-chart.tsx';
import type { Series } from '../../kit/charts/series.ts';
import { moneyText } from '../../kit/money.tsx';
import { dayText } from '../../kit/time.tsx';
import { hourText } from './today-figures.tsx';

type Dashboard = AdminAnswer<'dashboard'>;
interface Counted {
  readonly count: number;
  readonly before: number | null;
}

/** The maximum number of bars drawn; the table has all rows. */
const BARS_MAX = 8;
const HOURS = 24;

export const countText = (count: number): string => count.toLocaleString('en-US');
const percentText = (part: number): string => `${(part * 100).toFixed(1)}%`;

const withBefore = ({ count, before }: Counted) => (
  <>
    {countText(count)}
    {before !== null && (
      <span className="text-caption text-ink-quiet font-normal">
        {' '}
        {m.dashboard_before_value({ value: countText(before) })}
      </span>
    )}
  </>
);

const countColumns = (label: string, counted: readonly Counted[]): Series[] => {
  const before = counted.flatMap((one) => one.before ?? []);
  return [
    columnOf(
      label,
      counted.map(({ count }) => count),
    ),
    ...(before.length === counted.length && counted.length > 0
      ? [columnOf(m.dashboard_before(), before)]
      : []),
  ];
};

const STEP_LABELS: Readonly<Record<FunnelStep, () => string>> = {
  signed_up: m.dashboard_funnel_signed_up,
  verified: m.dashboard_funnel_verified,
  first_top_up: m.dashboard_funnel_first_top_up,
  first_purchase: m.dashboard_funnel_first_purchase,
  first_redemption: m.dashboard_funnel_first_redemption,
};

export function FunnelChart({ funnel }: Pick<Dashboard, 'funnel'>) {
  const labels = funnel.map(({ step }) => STEP_LABELS[step]());
  const bars = funnel.map((counted, index): Bar => ({
    label: labels[index] ?? '',
    value: counted.count,
    text: withBefore(counted),
  }));
  const columns = countColumns(m.dashboard_count(), funnel);
  return (
    <Bars
      title={m.dashboard_funnel()}
      table={{ rowLabel: m.dashboard_step(), rows: labels, columns }}
      bars={bars}
    />
  );
}

type CardDay = Dashboard['cards']['days'][number];

function successOf(label: string, days: readonly CardDay[]): Series {
  const values = days.map(({ paid, failed }) =>
    paid + failed === 0 ? undefined : paid / (paid + failed),
  );
  const texts = values.map((value) => (value === undefined ? '–' : percentText(value)));
  const raws = values.map((value) => (value === undefined ? '' : value.toFixed(4)));
  return { label, values, texts, raws };
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);

/** The success rate of card payments, among those with a card attempt (O-061). */
export function CardChart({ cards: { days, daysBefore } }: Pick<Dashboard, 'cards'>) {
  const paid = sum(days.map((day) => day.paid));
  const tried = paid + sum(days.map((day) => day.failed));
  const before = successOf(m.dashboard_before(), daysBefore);
  return (
    <LineChart
      title={m.dashboard_cards()}
      lead={
        tried > 0 && (
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-display text-title tabular font-bold">
              {percentText(paid / tried)}
            </span>
            <span className="text-caption text-ink-quiet">
              {m.dashboard_cards_total({ paid: countText(paid), tried: countText(tried) })}
            </span>
          </p>
        )
      }
      rowLabel={m.dashboard_day()}
      rows={days.map(({ day }) => dayText(day))}
      series={[successOf(m.dashboard_cards_rate(), days)]}
      more={[
        columnOf(
          m.dashboard_cards_paid(),
          days.map((day) => day.paid),
        ),
        columnOf(
          m.dashboard_cards_failed(),
          days.map((day) => day.failed),
        ),
      ]}
      before={before.values.some((value) => value !== undefined) ? [before] : []}
      axisText={(value) => `${Math.round(value * 100)}%`}
      max={1}
      emptyText={tried === 0 ? m.dashboard_cards_none() : undefined}
    />
  );
}

/** `insufficient_funds` in words. The codes come from the bank and the provider. */
const reasonText = (reason: string): string =>
  reason === 'unknown'
    ? m.dashboard_reason_unknown()
    : `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll('_', ' ')}`;

export function DeclineChart({ declines }: Pick<Dashboard, 'declines'>) {
  const labels = declines.map(({ reason }) => reasonText(reason));
  return (
    <Bars
      title={m.dashboard_declines()}
      table={{
        rowLabel: m.dashboard_reason(),
        rows: labels,
        columns: countColumns(m.dashboard_count(), declines),
      }}
      bars={declines.slice(0, BARS_MAX).map((counted, index) => ({
        label: labels[index] ?? '',
        value: counted.count,
        text: withBefore(counted),
      }))}
      emptyText={declines.length === 0 ? m.dashboard_declines_none() : undefined}
    />
  );
}

interface Sold extends Counted {
  readonly label: string;
  /** Left out for people who may not see money. */
  readonly amount: string | null;
}

/** An offer's title without the emphasis markup that the wallet renders. */
const plainTitle = (title: string): string => title.replaceAll('**', '');

const amountColumn = (sold: readonly Sold[]): Series[] => {
  const amounts = sold.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0 || amounts.length < sold.length) return [];
  return [
    {
      label: m.dashboard_amount(),
      values: [],
      texts: amounts.map((units) => moneyText(units, 'ATH')),
      raws: amounts.map((units) => moneyText(units, 'ATH').replaceAll(/[^\d.−-]/g, '')),
    },
  ];
};

function SoldChart(props: { title: string; rowLabel: string; sold: readonly Sold[] }) {
  const { title, rowLabel, sold } = props;
  return (
    <Bars
      title={title}
      table={{
        rowLabel,
        rows: sold.map(({ label }) => label),
        columns: [...countColumns(m.dashboard_items(), sold), ...amountColumn(sold)],
      }}
      bars={sold.slice(0, BARS_MAX).map((one) => ({
        label: one.label,
        value: one.count,
        text: withBefore(one),
      }))}
      emptyText={sold.length === 0 ? m.dashboard_sales_none() : undefined}
    />
  );
}

const addText = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? null : (BigInt(one) + BigInt(other)).toString();

export function SalesCharts({ sales }: Pick<Dashboard, 'sales'>) {
  const offers = sales.map(({ title, amount, count, before }) => ({
    label: plainTitle(title),
    amount,
    count,
    before,
  }));
  const categories = [...Map.groupBy(sales, ({ category }) => category)]
    .map(([label, parts]) =>
      parts
        .map(({ amount, count, before }): Sold => ({ label, amount, count, before }))
        .reduce((one, other) => ({
          label,
          count: one.count + other.count,
          before: one.before === null ? null : one.before + (other.before ?? 0),
          amount: addText(one.amount, other.amount),
        })),
    )
    .toSorted((one, other) => other.count - one.count);
  return (
    <>
      <SoldChart title={m.dashboard_sales()} rowLabel={m.dashboard_offer()} sold={offers} />
      <SoldChart
        title={m.dashboard_categories()}
        rowLabel={m.dashboard_category()}
        sold={categories}
      />
    </>
  );
}

const HOUR_TEXTS = Array.from({ length: HOURS }, (_, hour) => hourText(hour));

export const VenueMap = ({ venues }: Pick<Dashboard, 'venues'>) => (
  <HeatMap
    title={m.dashboard_venues()}
    rowLabel={m.dashboard_venue()}
    columns={HOUR_TEXTS}
    rows={venues.map(({ name, hours }) => ({ label: name, values: hours }))}
    textOf={(count) => m.dashboard_redemptions({ count })}
    emptyText={venues.length === 0 ? m.dashboard_venues_none() : undefined}
  />
);
