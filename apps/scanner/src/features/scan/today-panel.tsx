import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scansQuery, todayTime } from '../../api/scans.ts';
import { AccountScans, DeviceScans } from './scan-lists.tsx';

/** The server's counters of the day, and the recent scans of this device or of the account. */
export function TodayPanel() {
  return (
    <>
      <Counters />
      <LastScans />
    </>
  );
}

function Counters() {
  const { data, isError } = useQuery(scansQuery(todayTime()));
  const counts = data?.counts;
  return (
    <>
      <dl aria-label={m.scanner_app_today_counts()} className="grid grid-cols-3 gap-3">
        <Counter name={m.scanner_app_count_redeemed()} count={counts?.redeemedItems} />
        <Counter name={m.scanner_app_count_scans()} count={counts?.scans} />
        <Counter name={m.scanner_app_count_refused()} count={counts?.refused} />
      </dl>
      {isError && <Notice kind="info">{m.scanner_app_counts_failed()}</Notice>}
    </>
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

const CHOICES = [
  { key: 'device', label: m.scanner_app_recent_device },
  { key: 'account', label: m.scanner_app_recent_account },
] as const;

function LastScans() {
  const [choice, setChoice] = useState<'device' | 'account'>('device');
  return (
    <section aria-label={m.scanner_app_recent_label()} className="flex flex-col gap-3">
      <h2 className="font-display text-lead font-bold">{m.scanner_app_recent_label()}</h2>
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
      {choice === 'device' ? <DeviceScans /> : <AccountScans />}
    </section>
  );
}
