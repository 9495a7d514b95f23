import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import type { Customer } from './customer-screen.tsx';
import { CAUSE_TITLES, kindsText } from './hold-words.ts';

const ReleaseDialog = lazy(async () => ({
  default: (await import('./hold-dialogs.tsx')).ReleaseDialog,
}));

export type Hold = AdminAnswer<'customerHolds'>['items'][number];

/** The customer's holds: which actions they block, why, and until when. */
export function Holds({ customer }: { customer: Customer }) {
  const { item, failure, reload } = useAdminItem('customerHolds', {
    params: { uuid: customer.uuid },
  });
  const [released, setReleased] = useState<Hold>();
  const standing = item?.items.filter(({ liftedAt }) => liftedAt === null);
  const lifted = item?.items.filter(({ liftedAt }) => liftedAt !== null) ?? [];
  return (
    <Section title={m.customers_holds()}>
      {item === undefined && failure === undefined && <Skeleton className="h-12 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {standing?.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.customers_holds_none()}</p>
      )}
      <ul className="divide-line flex flex-col divide-y">
        {standing?.map((hold) => (
          <StandingHold
            key={hold.id}
            hold={hold}
            isOwn={customer.isOwn}
            onRelease={() => setReleased(hold)}
          />
        ))}
      </ul>
      {lifted.length > 0 && (
        <details className="text-dense">
          <summary className="text-ink-quiet min-h-11 py-3">
            {m.customers_hold_lifted()} ({lifted.length})
          </summary>
          <ul className="divide-line flex flex-col divide-y">
            {lifted.map((hold) => (
              <li key={hold.id} className="py-2">
                <HoldText hold={hold} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {released !== undefined && (
        <Suspense fallback={null}>
          <ReleaseDialog
            uuid={customer.uuid}
            hold={released}
            onClose={() => setReleased(undefined)}
          />
        </Suspense>
      )}
    </Section>
  );
}

function StandingHold(props: { hold: Hold; isOwn: boolean; onRelease: () => void }) {
  const { hold, isOwn, onRelease } = props;
  const lack = useLack();
  const obstacle =
    lack('customers.release') ??
    (isOwn ? m.customers_own() : hold.cause === 'debt' ? m.customers_hold_of_debt() : undefined);
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0">
      <HoldText hold={hold} />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="quiet" isDense isDisabled={obstacle !== undefined} onClick={onRelease}>
          {m.customers_hold_release()}
        </Button>
        {obstacle !== undefined && (
          <span className="text-caption text-ink-quiet min-w-0 flex-1">{obstacle}</span>
        )}
      </div>
    </li>
  );
}

function HoldText({ hold }: { hold: Hold }) {
  const { kinds, cause, reason, placedAt, placedBy, endsAt, liftedAt } = hold;
  return (
    <div className="text-dense flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-2 font-semibold">
        {kindsText(kinds)}
        {cause !== 'staff' && <Badge>{CAUSE_TITLES[cause]()}</Badge>}
      </span>
      <span className="wrap-anywhere">{reason}</span>
      <span className="text-caption text-ink-quiet">
        {placedBy === null
          ? m.customers_hold_programme()
          : m.customers_hold_placed_by({ name: placedBy.name })}{' '}
        <Time at={placedAt} />
        {liftedAt === null && endsAt !== null && (
          <>
            , {m.customers_hold_until()} <Time at={endsAt} />
          </>
        )}
        {liftedAt !== null && (
          <>
            , {m.customers_hold_lifted().toLowerCase()} <Time at={liftedAt} />
          </>
        )}
      </span>
    </div>
  );
}
