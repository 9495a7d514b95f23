/** A customer in the waiting period before a lost second step is removed. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useState } from 'react';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import type { Customer } from './customer-screen.tsx';

const RecoveryDialog = lazy(async () => ({
  default: (await import('./recovery-dialogs.tsx')).RecoveryDialog,
}));

export type Recovery = NonNullable<Customer['recovery']>;

interface RecoveryCardProps {
  customer: Customer;
  recovery: Recovery;
}

/** Beginning and end of the waiting period, and the actions of staff. */
export function RecoveryCard({ customer: { uuid, isOwn }, recovery }: RecoveryCardProps) {
  const { begunAt, endsAt, remindedAt, approvalId } = recovery;
  const [act, setAct] = useState<'refuse' | 'shorten'>();
  const lack = useLack();
  const obstacle = isOwn ? m.customers_own() : undefined;
  return (
    <Section title={m.customers_recovery()}>
      <p className="text-dense text-pretty">{m.customers_recovery_lead()}</p>
      <Facts
        facts={[
          { label: m.customers_recovery_begun(), value: <Time at={begunAt} /> },
          { label: m.customers_recovery_ends(), value: <Time at={endsAt} /> },
          {
            label: m.customers_recovery_reminded(),
            value: remindedAt === null ? m.customers_recovery_not_yet() : <Time at={remindedAt} />,
          },
        ]}
      />
      <div className="flex flex-wrap items-start gap-2">
        <Button
          variant="quiet"
          isDense
          disabledReason={lack('customers.hold') ?? obstacle}
          onClick={() => setAct('refuse')}
        >
          {m.customers_recovery_refuse()}
        </Button>
        {approvalId === null ? (
          <Button
            variant="quiet"
            isDense
            disabledReason={lack('customers.release') ?? obstacle}
            onClick={() => setAct('shorten')}
          >
            {m.customers_recovery_shorten()}
          </Button>
        ) : (
          <span className="self-center">
            <ObjectLink to={paths.approval(approvalId)}>{m.customers_recovery_asked()}</ObjectLink>
          </span>
        )}
      </div>
      {act !== undefined && (
        <Suspense fallback={null}>
          <RecoveryDialog
            act={act}
            uuid={uuid}
            recovery={recovery}
            onClose={() => setAct(undefined)}
          />
        </Suspense>
      )}
    </Section>
  );
}
