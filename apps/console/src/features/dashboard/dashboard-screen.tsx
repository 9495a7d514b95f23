/** The programme's dashboard: open tasks, today's figures, and the figures of a range of days. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminAction, useAdminItem, type AdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useHolds } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { timeZone } from '../../state/time-zone.ts';
import { CardChart, DeclineChart, FunnelChart, SalesCharts, VenueMap } from './count-charts.tsx';
import { MoneyCharts } from './money-charts.tsx';
import { RangeFields } from './range-fields.tsx';
import { readRange, todayIn } from './range.ts';
import { TodayFigures } from './today-figures.tsx';
import { WaitingList } from './waiting-list.tsx';

/** The server counts the figures every minute. */
const POLL_MS = 60_000;
const TOAST_MS = 4_000;

const POLL = { pollMs: () => POLL_MS };

const isSettled = ({ item, failure }: AdminItem<unknown>): boolean =>
  item !== undefined || failure !== undefined;

/** Shows each part only after those above it. Otherwise a late response would move the part that somebody is reading. */
export function DashboardScreen() {
  const zone = useValue(timeZone);
  const [params] = useSearchParams();
  const today = todayIn(zone);
  const range = readRange(params, today);
  const { from, to, compare } = range;
  const query = { from, to, compare };
  const holds = useHolds();
  const isMoneySeen = holds('reports.money');
  const waiting = useAdminItem('waiting', {}, POLL);
  const counts = useAdminItem('dashboard', { query }, POLL);
  const money = useAdminItem('dashboardMoney', { query }, { ...POLL, isAsked: isMoneySeen });
  if (!isSettled(waiting)) {
    return (
      <Page title={m.dashboard_title()}>
        <FiguresSkeleton />
      </Page>
    );
  }
  const isReady = isSettled(counts) && (isSettled(money) || !isMoneySeen);
  return (
    <Page title={m.dashboard_title()}>
      <WaitingList {...waiting} />
      <RangeFields range={range} today={today} />
      {isReady ? (
        <Figures counts={counts} money={isMoneySeen ? money : undefined} />
      ) : (
        <FiguresSkeleton />
      )}
    </Page>
  );
}

interface FiguresProps {
  counts: AdminItem<AdminAnswer<'dashboard'>>;
  /** Left out for people who may not see money. */
  money: AdminItem<AdminAnswer<'dashboardMoney'>> | undefined;
}

function Figures({ counts: { item, failure, reload }, money }: FiguresProps) {
  if (item === undefined) {
    return failure === undefined ? null : <FailureView failure={failure} onRetry={reload} />;
  }
  return (
    <>
      <TodayFigures today={item.today} />
      <div className="@container/charts min-w-0">
        <div className="grid gap-4 @min-[60rem]/charts:grid-cols-2">
          {money !== undefined && <MoneyCharts {...money} />}
          <FunnelChart funnel={item.funnel} />
          <CardChart cards={item.cards} />
          <DeclineChart declines={item.declines} />
          <SalesCharts sales={item.sales} />
          <VenueMap venues={item.venues} />
        </div>
      </div>
      <CountedUntil item={item} />
    </>
  );
}

const FiguresSkeleton = () => (
  <div role="status" aria-label={m.common_loading()} className="flex flex-col gap-4">
    <Skeleton className="h-40 w-full" />
    <Skeleton className="h-80 w-full" />
    <Skeleton className="h-80 w-full" />
  </div>
);

function CountedUntil({ item: { countedUntil } }: { item: AdminAnswer<'dashboard'> }) {
  const holds = useHolds();
  const { run, isPending } = useAdminAction('rebuildReports');
  const [isAsked, setIsAsked] = useState(false);

  async function rebuild(): Promise<void> {
    const { kind } = await run({});
    if (kind === 'done') setIsAsked(true);
    else if (kind !== 'cancelled') toasts.show('danger', m.dashboard_rebuild_failed(), TOAST_MS);
  }

  return (
    <footer className="text-caption text-ink-quiet flex flex-wrap items-center gap-x-4 gap-y-2">
      {countedUntil === null ? (
        m.dashboard_never_counted()
      ) : (
        <span>
          {m.dashboard_counted()} <Time at={countedUntil} />
        </span>
      )}
      {isAsked && <span role="status">{m.dashboard_rebuild_done()}</span>}
      {holds('jobs.manage') && !isAsked && (
        <Button
          variant="quiet"
          isDense
          title={m.dashboard_rebuild_hint()}
          isPending={isPending}
          onClick={() => void rebuild()}
        >
          {m.dashboard_rebuild()}
        </Button>
      )}
    </footer>
  );
}
