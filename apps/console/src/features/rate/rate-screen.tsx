/** The price of one ATH: the current rate, the scheduled ones, and the limits for a rate. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { CancelRateDialog, ScheduleRateDialog } from './rate-dialogs.tsx';
import { RateSeries } from './rate-series.tsx';

export type RateNow = AdminAnswer<'rateNow'>;

/** Twice as often as the worker publishes a rate. */
const POLL_MS = 12_000;

const SOURCE_TITLES: Readonly<Record<RateNow['source']['kind'], () => string>> = {
  fixed: m.rate_source_fixed,
  walk: m.rate_source_walk,
  url: m.rate_source_url,
  console: m.rate_source_console,
};

export function RateScreen() {
  const { item, failure, reload } = useAdminItem('rateNow', {}, { pollMs: () => POLL_MS });
  const [isScheduling, setIsScheduling] = useState(false);
  const lack = useLack();
  const isElsewhere = item !== undefined && item.source.kind !== 'console';
  return (
    <Page
      title={m.rate_title()}
      actions={
        <Button
          isDense
          disabledReason={lack('rate.set') ?? (isElsewhere ? m.rate_source_elsewhere() : undefined)}
          isDisabled={item === undefined}
          onClick={() => setIsScheduling(true)}
        >
          {m.rate_schedule()}
        </Button>
      }
    >
      {item !== undefined && (
        <>
          <Warnings rate={item} />
          <InForce rate={item} />
          <RateSeries />
          {item.source.kind === 'console' && <Schedule rate={item} />}
          <GuardRails rails={item.guardRails} />
        </>
      )}
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {isScheduling && item !== undefined && (
        <ScheduleRateDialog rate={item} onClose={() => setIsScheduling(false)} />
      )}
    </Page>
  );
}

function Warnings({ rate }: { rate: RateNow }) {
  const { refused, isTooOld, current, maxAgeSeconds } = rate;
  return (
    <>
      {refused !== null && (
        <Notice
          kind="danger"
          title={m.rate_refused_title({ rate: refused.usdPerAth })}
          action={
            <ObjectLink to={paths.approval(refused.approvalId)}>{m.rate_refused_open()}</ObjectLink>
          }
        >
          {m.rate_refused()}
        </Notice>
      )}
      {isTooOld && (
        <Notice kind="danger" title={m.rate_too_old_title()}>
          {current === null
            ? m.rate_none()
            : m.rate_too_old({ minutes: Math.round(maxAgeSeconds / 60) })}
        </Notice>
      )}
    </>
  );
}

function InForce({ rate }: { rate: RateNow }) {
  const { current, source } = rate;
  const sourceTitle = SOURCE_TITLES[source.kind]();
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="amount text-headline">{current?.usdPerAth ?? '—'}</span>
        <span className="text-dense text-ink-quiet">{m.rate_unit()}</span>
      </p>
      <Facts
        isWide
        facts={[
          {
            label: m.rate_source(),
            value: source.host === null ? sourceTitle : `${sourceTitle}, ${source.host}`,
          },
          {
            label: m.rate_since(),
            value: current !== null && <Time at={current.inForceFrom} precision="second" />,
            isHidden: current === null,
          },
          {
            label: m.rate_confirmed(),
            value: current !== null && <Time at={current.confirmedAt} precision="second" />,
            isHidden: current === null,
          },
          {
            label: m.rate_by_vote(),
            value: m.rate_by_vote_text(),
            isHidden: current?.isByVote !== true,
          },
        ]}
      />
    </div>
  );
}

function Schedule({ rate }: { rate: RateNow }) {
  const [cancelled, setCancelled] = useState<RateNow['schedule'][number]>();
  const lack = useLack();
  return (
    <Section title={m.rate_schedule_title()}>
      {rate.schedule.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.rate_schedule_none()}</p>
      ) : (
        <ul aria-label={m.rate_schedule_title()} className="divide-line flex flex-col divide-y">
          {rate.schedule.map((next) => (
            <li
              key={next.id}
              className="text-dense flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1"
            >
              <span className="flex grow basis-32 flex-wrap items-baseline gap-x-2">
                <span className="amount font-semibold">{next.usdPerAth}</span>
                <span className="text-caption text-ink-quiet">{m.rate_unit()}</span>
              </span>
              <Time at={next.inForceFrom} precision="second" />
              <Button
                variant="plain"
                isDense
                disabledReason={lack('rate.set')}
                onClick={() => setCancelled(next)}
              >
                {m.rate_cancel()}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {cancelled !== undefined && (
        <CancelRateDialog scheduled={cancelled} onClose={() => setCancelled(undefined)} />
      )}
    </Section>
  );
}

function GuardRails({ rails }: { rails: RateNow['guardRails'] }) {
  const percent = (max: number): string => m.rate_rail_percent({ max });
  return (
    <Section title={m.rate_rails_title()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.rate_rails_lead()}</p>
      <Facts
        isWide
        facts={[
          { label: m.rate_rail_lowest(), value: rails.lowest },
          { label: m.rate_rail_highest(), value: rails.highest },
          { label: m.rate_rail_step(), value: percent(rails.stepPercentMax) },
          { label: m.rate_rail_hour(), value: percent(rails.hourPercentMax) },
          { label: m.rate_rail_day(), value: percent(rails.dayPercentMax) },
        ]}
      />
    </Section>
  );
}
