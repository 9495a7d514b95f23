/** Everything about one customer: balances, holds and facts beside the timeline. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import Hand from 'lucide-react/icons/hand';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Detail, DetailOf } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import { CustomerBadges } from './customer-badges.tsx';
import type { CustomerAct } from './customer-dialogs.tsx';
import { CustomerFacts } from './customer-facts.tsx';
import { CustomerTimeline } from './customer-timeline.tsx';
import { HeldSends } from './held-sends.tsx';
import { Holds } from './holds.tsx';
import { RecoveryCard } from './recovery.tsx';

const CustomerDialog = lazy(async () => ({
  default: (await import('./customer-dialogs.tsx')).CustomerDialog,
}));

export type Customer = AdminAnswer<'customer'>;

export function CustomerScreen() {
  const { uuid = '' } = useParams();
  return <CustomerPage key={uuid} uuid={uuid} />;
}

function CustomerPage({ uuid }: { uuid: string }) {
  const read = useAdminItem('customer', { params: { uuid } });
  const [act, setAct] = useState<CustomerAct>();
  return (
    <DetailOf read={read} kind={m.customers_one()} backTo={paths.customers}>
      {(customer) => (
        <Detail
          kind={m.customers_one()}
          title={customer.email ?? m.customers_closed_account()}
          plainTitle={customer.email ?? m.customers_closed_account()}
          state={<CustomerBadges {...customer} />}
          actions={<CustomerActions customer={customer} onAct={setAct} />}
          backTo={paths.customers}
        >
          {customer.isOwn && <Notice kind="info">{m.customers_own()}</Notice>}
          <div className="@desk/shell:grid-cols-[22rem_minmax(0,1fr)] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6">
            <div className="flex min-w-0 flex-col gap-6">
              <Balances customer={customer} />
              {customer.recovery !== null && (
                <RecoveryCard customer={customer} recovery={customer.recovery} />
              )}
              <HeldSends customer={customer} />
              <Holds customer={customer} />
              <CustomerFacts customer={customer} />
            </div>
            <CustomerTimeline uuid={customer.uuid} />
          </div>
          {act !== undefined && (
            <Suspense fallback={null}>
              <CustomerDialog act={act} customer={customer} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

/** The first token's balance is large. Others are shown only if they are not zero. */
function Balances({ customer: { balances } }: { customer: Customer }) {
  const others = (['ATH2', 'ATH3'] as const).filter((asset) => balances[asset] !== '0');
  return (
    <section aria-label={m.customers_balance()} className="flex flex-col gap-1">
      <p className="amount text-headline">
        <Money units={balances.ATH} asset="ATH" isDebtRed />
      </p>
      {others.map((asset) => (
        <p key={asset} className="text-body">
          <Money units={balances[asset]} asset={asset} isDebtRed />
        </p>
      ))}
    </section>
  );
}

interface CustomerActionsProps {
  customer: Customer;
  onAct: (act: CustomerAct) => void;
}

/** The possible actions. An action that roles or the account's state rule out shows the reason. */
function CustomerActions({ customer, onAct }: CustomerActionsProps) {
  const lack = useLack();
  const { state, isOwn, sessions, publicNames } = customer;
  const obstacle = isOwn
    ? m.customers_own()
    : state === 'closed'
      ? m.customers_is_closed()
      : undefined;
  return (
    <>
      <ActionMenu
        actions={[
          {
            label: m.customers_adjust(),
            disabledReason: lack('customers.adjust') ?? obstacle,
            onPress: () => onAct('adjust'),
          },
          {
            label: m.customers_mail_reset(),
            disabledReason: lack('customers.mail') ?? obstacle,
            onPress: () => onAct('mailReset'),
          },
          {
            label: m.customers_mail_receipt(),
            disabledReason: lack('customers.mail') ?? lack('payments.read') ?? obstacle,
            onPress: () => onAct('mailReceipt'),
          },
          {
            label: m.customers_sign_out(),
            disabledReason:
              lack('customers.end_sessions') ??
              obstacle ??
              (sessions.length === 0 ? m.customers_sign_out_none() : undefined),
            onPress: () => onAct('signOut'),
          },
          {
            label: m.customers_names_remove(),
            disabledReason:
              lack('customers.hold') ??
              obstacle ??
              (publicNames.displayName === null && publicNames.handle === null
                ? m.customers_names_none()
                : undefined),
            onPress: () => onAct('removeNames'),
          },
          {
            label: m.customers_export(),
            disabledReason: lack('customers.export_person') ?? obstacle,
            onPress: () => onAct('exportPerson'),
          },
          {
            label: m.customers_erase(),
            isDanger: true,
            disabledReason: lack('customers.erase') ?? obstacle,
            onPress: () => onAct('erase'),
          },
        ]}
      />
      <Button
        isDense
        icon={<Hand size={16} aria-hidden />}
        disabledReason={lack('customers.hold') ?? obstacle}
        onClick={() => onAct('hold')}
      >
        {m.customers_hold()}
      </Button>
    </>
  );
}
