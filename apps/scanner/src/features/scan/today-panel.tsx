import { m } from '@athos/messages/messages';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Skeleton, SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LISTED_COUNT, scansQuery, todayTime } from '../../api/scans.ts';
import { countsOf, type DayCounts } from '../../state/recent-scans.ts';
import { accountLine, deviceLine, ScanList } from './scan-lists.tsx';
import { useScansOfToday } from './use-scans-of-today.ts';

const CHOICES = [
  { key: 'device', label: m.scanner_app_recent_device },
  { key: 'account', label: m.scanner_app_recent_account },
] as const;

/** Today's counts and last scans, both of this device or both of the whole account. */
export function TodayPanel() {
  const [choice, setChoice] = useState<'device' | 'account'>('device');
  return (
    <section aria-label={m.scanner_app_recent_label()} className="flex flex-col gap-4">
      <div
        role="group"
        aria-label={m.scanner_app_recent_choice()}
        className="bg-sunken rounded-pill grid grid-cols-2 p-1"
      >
        {CHOICES.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            aria-pressed={choice === key}
            onClick={() => setChoice(key)}
            className={`rounded-pill target text-body font-semibold transition-colors duration-150 ease-out ${choice === key ? 'bg-primary text-primary-ink' : 'text-ink-quiet'}`}
          >
            {label()}
          </button>
        ))}
      </div>
      {choice === 'device' ? <DeviceDay /> : <AccountDay />}
    </section>
  );
}

/** Includes the scans that never reached the server. */
function DeviceDay() {
  const scans = useScansOfToday();
  return (
    <>
      <Counters counts={countsOf(scans)} />
      <ScanList lines={scans.slice(0, LISTED_COUNT).map(deviceLine)} />
    </>
  );
}

/** As counted and listed by the server, from all devices of the account. */
function AccountDay() {
  const { data, isError, refetch } = useQuery(scansQuery(todayTime()));
  if (isError) {
    return <FailureNotice text={m.scanner_app_recent_failed()} onTryAgain={() => void refetch()} />;
  }
  return (
    <>
      <Counters counts={data?.counts} />
      {data === undefined ? (
        <SkeletonRows count={3} />
      ) : (
        <ScanList lines={data.scans.map(accountLine)} />
      )}
    </>
  );
}

function Counters({ counts }: { counts: DayCounts | undefined }) {
  return (
    <dl
      aria-label={m.scanner_app_today_counts()}
      className="grid grid-cols-[repeat(auto-fit,minmax(5.25rem,1fr))] gap-3"
    >
      <Counter name={m.scanner_app_count_redeemed()} count={counts?.redeemedItems} />
      <Counter name={m.scanner_app_count_scans()} count={counts?.scans} />
      <Counter name={m.scanner_app_count_refused()} count={counts?.refused} />
    </dl>
  );
}

function Counter({ name, count }: { name: string; count: number | undefined }) {
  return (
    <div className="rounded-medium bg-surface inset-ring inset-ring-line flex flex-col-reverse justify-end gap-1 p-3">
      <dt className="text-caption text-ink-quiet text-balance">{name}</dt>
      <dd className="amount text-headline min-h-9">{count ?? <Skeleton className="h-8 w-10" />}</dd>
    </div>
  );
}
