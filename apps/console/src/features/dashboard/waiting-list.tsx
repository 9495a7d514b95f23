/** Tasks that wait for a person, each with a link to its screen (O-062). */
import type { WaitingKind } from '@athos/contract/console/dashboard';
import { m } from '@athos/messages/messages';
import { Link } from '@athos/ui/primitives/link';
import type { AdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';

interface Kind {
  readonly label: () => string;
  /** Left out if no screen shows it. */
  readonly path?: string;
}

const KINDS: Readonly<Record<WaitingKind, Kind>> = {
  approvals: { label: m.dashboard_waiting_approvals, path: paths.approvals },
  payments_in_review: { label: m.dashboard_waiting_payments_in_review, path: paths.reviews },
  disputes: { label: m.dashboard_waiting_disputes, path: paths.disputes },
  unmatched_money: { label: m.dashboard_waiting_unmatched_money, path: paths.unmatchedMoney },
  failed_jobs: { label: m.dashboard_waiting_failed_jobs, path: '/jobs' },
  stale_rate: { label: m.dashboard_waiting_stale_rate, path: '/rate' },
  low_stock: { label: m.dashboard_waiting_low_stock, path: '/offers' },
};

export function WaitingList({ item, failure, reload }: AdminItem<AdminAnswer<'waiting'>>) {
  return (
    <section aria-label={m.dashboard_waiting()} className="min-w-0">
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item?.items.length === 0 && (
        <p className="text-dense text-ink-quiet flex min-h-11 items-center">
          {m.dashboard_waiting_none()}
        </p>
      )}
      {item !== undefined && item.items.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {item.items.map(({ kind, count, isAtLeast, dueAt }) => (
            <li key={kind} className="grow small:grow-0">
              <Link
                to={KINDS[kind].path ?? paths.home}
                className="rounded-small bg-surface inset-ring-line hover:bg-sunken text-dense flex min-h-11 flex-wrap items-center gap-x-2 px-3 py-1 inset-ring"
              >
                <Badge tone="danger">{isAtLeast ? `${count}+` : String(count)}</Badge>
                <span className="font-semibold">{KINDS[kind].label()}</span>
                {dueAt !== null && (
                  <span className="text-caption text-ink-quiet">
                    {m.dashboard_waiting_due()} <Time at={dueAt} />
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
