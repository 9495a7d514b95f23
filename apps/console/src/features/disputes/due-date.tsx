import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import Clock from 'lucide-react/icons/clock';
import ClockAlert from 'lucide-react/icons/clock-alert';
import type { RowOf } from '../../api/admin.ts';
import { Time } from '../../kit/time.tsx';

type Dispute = RowOf<'consoleDisputes'>;
type Due = Pick<Dispute, 'dueAt' | 'awaitsEvidence'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From this time before the deadline, the date is shown as urgent. */
const SOON_MS = 3 * DAY_MS;

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' });

/** `in 3 days`, or within two days `in 30 hours`. */
function distanceText(fromMs: number): string {
  const isFar = Math.abs(fromMs) >= 2 * DAY_MS;
  return isFar
    ? relative.format(Math.trunc(fromMs / DAY_MS), 'day')
    : relative.format(Math.trunc(fromMs / HOUR_MS), 'hour');
}

export const isOverdue = ({ dueAt, awaitsEvidence }: Due, nowMs: number): boolean =>
  awaitsEvidence && dueAt !== null && Date.parse(dueAt) <= nowMs;

/** The time left to answer, in words and with an icon; the colour only repeats it. */
export function DueDate({ dispute, nowMs }: { dispute: Due; nowMs: number }) {
  const { dueAt, awaitsEvidence } = dispute;
  if (!awaitsEvidence) return null;
  if (dueAt === null) return m.disputes_due_none();
  const leftMs = Date.parse(dueAt) - nowMs;
  const when = distanceText(leftMs);
  const isLate = leftMs <= 0;
  const Icon = isLate ? ClockAlert : Clock;
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 font-semibold',
        leftMs < SOON_MS && 'text-danger',
      )}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span>{isLate ? m.disputes_overdue({ when }) : when}</span>
    </span>
  );
}

/** The same with the date and time. */
export const DueFact = ({ dispute, nowMs }: { dispute: Due; nowMs: number }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    {dispute.dueAt !== null && <Time at={dispute.dueAt} />}
    {dispute.awaitsEvidence && <DueDate dispute={dispute} nowMs={nowMs} />}
  </span>
);
