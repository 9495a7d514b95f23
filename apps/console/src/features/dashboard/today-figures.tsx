/** Today beside the same weekday of last week, hour by hour. */
import type { TodayFigure } from '@athos/contract/console/dashboard';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { columnOf } from '../../kit/charts/bars.tsx';
import { ChartFrame } from '../../kit/charts/chart-frame.tsx';
import { Spark } from '../../kit/charts/spark.tsx';
import { weekdayText } from './range.ts';

type Today = AdminAnswer<'dashboard'>['today'];

const LABELS: Readonly<Record<TodayFigure, () => string>> = {
  verified: m.dashboard_today_verified,
  sold: m.dashboard_today_sold,
  redeemed: m.dashboard_today_redeemed,
  card_paid: m.dashboard_today_card_paid,
};

const HOURS = 24;
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
const HOUR_TEXTS = Array.from({ length: HOURS }, (_, hour) => hourText(hour));

/** Four columns where there is room, otherwise two. */
const placesIn = (width: number): number => (width >= 640 ? 4 : 2);

const sumUntil = (values: readonly number[], hour: number): number =>
  values.slice(0, hour + 1).reduce((sum, value) => sum + value, 0);

export function TodayFigures({ today }: { today: Today }) {
  const { hour, figures } = today;
  const columns = figures.flatMap(({ name, hours, hoursBefore }) => [
    columnOf(LABELS[name](), hours),
    columnOf(m.dashboard_last_week({ name: LABELS[name]() }), hoursBefore),
  ]);
  return (
    <ChartFrame
      title={m.dashboard_today({ weekday: weekdayText(today.comparedDay) })}
      table={{ rowLabel: m.dashboard_hour(), rows: HOUR_TEXTS, columns }}
      locate={(x, _y, width) => Math.floor(((x * placesIn(width)) % 1) * HOURS)}
    >
      {({ cursor, width }) => {
        const places = placesIn(width);
        const partWidth = Math.max(0, width / places - 16);
        const until = cursor ?? hour;
        return (
          <div className={places === 4 ? 'grid grid-cols-4 gap-4' : 'grid grid-cols-2 gap-4'}>
            {figures.map(({ name, hours, hoursBefore }) => (
              <div key={name} className="flex min-w-0 flex-col gap-1">
                <span className="text-caption text-ink-quiet wrap-anywhere">{LABELS[name]()}</span>
                <span className="font-display text-title tabular font-bold">
                  {sumUntil(hours, Math.min(until, hour)).toLocaleString('en-US')}
                </span>
                <Spark
                  values={hours.slice(0, hour + 1)}
                  before={hoursBefore}
                  cursor={cursor}
                  width={partWidth}
                />
                <span className="text-caption text-ink-quiet tabular">
                  {m.dashboard_today_until({
                    hour: hourText(until + 1),
                    count: sumUntil(hoursBefore, until).toLocaleString('en-US'),
                  })}
                </span>
              </div>
            ))}
          </div>
        );
      }}
    </ChartFrame>
  );
}
