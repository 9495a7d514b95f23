/** One purchase: its items and their states, its movements, and its refunds. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Undo2 from 'lucide-react/icons/undo-2';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { paths } from '../../routes/paths.ts';
import type { Onward } from './onward-choice.tsx';
import { PurchaseBadges } from './purchase-badges.tsx';
import { PurchaseLines } from './purchase-lines.tsx';
import { REFUND_TITLES, type Goods, type Purchase } from './purchase-words.ts';

const RefundDialog = lazy(async () => ({
  default: (await import('./refund-dialog.tsx')).RefundDialog,
}));

const CardRefundDialog = lazy(async () => ({
  default: (await import('../../kit/card-refund-dialog.tsx')).CardRefundDialog,
}));

export function PurchaseDetail({ id }: { id: string }) {
  const read = useAdminItem('purchaseDetail', { params: { id } });
  const [refunded, setRefunded] = useState<Goods>();
  const [onward, setOnward] = useState<Onward>();
  return (
    <DetailOf read={read} kind={m.sales_one()} backTo={paths.purchases}>
      {(purchase) => (
        <Detail
          kind={m.sales_one()}
          title={<Money units={purchase.total} asset="ATH" />}
          plainTitle={`${m.sales_one()} ${purchase.id}`}
          state={<PurchaseBadges {...purchase} />}
          actions={<PurchaseActions purchase={purchase} onRefund={setRefunded} />}
          backTo={paths.purchases}
        >
          <PurchaseFacts purchase={purchase} />
          <Section title={m.sales_items()}>
            <PurchaseLines lines={purchase.lines} />
          </Section>
          <Refunds refunds={purchase.refunds} />
          <Movements purchase={purchase} />
          <AuditOf type="purchase" id={String(purchase.id)} />
          {refunded !== undefined && (
            <Suspense fallback={null}>
              <RefundDialog
                purchase={purchase}
                goods={refunded}
                onClose={(next) => {
                  setRefunded(undefined);
                  setOnward(next);
                }}
              />
            </Suspense>
          )}
          {onward !== undefined && (
            <Suspense fallback={null}>
              <CardRefundDialog payment={onward} onClose={() => setOnward(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

interface PurchaseActionsProps {
  purchase: Purchase;
  onRefund: (goods: Goods) => void;
}

/** The possible actions. An action that roles or the state rule out shows the reason. */
function PurchaseActions({ purchase, onRefund }: PurchaseActionsProps) {
  const lack = useLack();
  const { isCustomerClosed, openCount, redeemedCount } = purchase;
  const obstacle = isCustomerClosed ? m.sales_customer_closed() : undefined;
  return (
    <>
      <ActionMenu
        actions={[
          {
            label: m.sales_refund_redeemed_title(),
            disabledReason:
              lack('purchases.refund_redeemed') ??
              obstacle ??
              (redeemedCount === 0 ? m.sales_none_redeemed() : undefined),
            onPress: () => onRefund('redeemed'),
          },
        ]}
      />
      <Button
        isDense
        icon={<Undo2 size={16} aria-hidden />}
        disabledReason={
          lack('purchases.refund') ??
          obstacle ??
          (openCount === 0 ? m.sales_none_open() : undefined)
        }
        onClick={() => onRefund('unredeemed')}
      >
        {m.sales_refund()}
      </Button>
    </>
  );
}

function PurchaseFacts({ purchase }: { purchase: Purchase }) {
  const { id, customerUuid, purchasedAt, openCount, redeemedCount, refundedCount } = purchase;
  return (
    <Facts
      facts={[
        {
          label: m.approvals_customer(),
          value: <SubjectLink type="customer" id={customerUuid} />,
        },
        { label: m.console_time(), value: <Time at={purchasedAt} precision="second" /> },
        {
          label: m.sales_items(),
          value: m.sales_counts({
            open: openCount,
            redeemed: redeemedCount,
            refunded: refundedCount,
          }),
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}

function Refunds({ refunds }: Pick<Purchase, 'refunds'>) {
  if (refunds.length === 0) return null;
  return (
    <Section title={m.sales_refunds()}>
      <Timeline
        label={m.sales_refunds()}
        entries={refunds.map(({ approvalId, state, isOfRedeemed, amount, at, by, reason }) => ({
          key: approvalId,
          at,
          title: (
            <span className="flex flex-wrap items-center gap-x-3">
              <ObjectLink to={paths.approval(approvalId)}>{REFUND_TITLES[state]()}</ObjectLink>
              {isOfRedeemed && <Badge>{m.sales_handed_out()}</Badge>}
            </span>
          ),
          text: [by.name, reason].filter((part) => part !== '').join(': '),
          trailing: <Money units={amount} asset="ATH" />,
        }))}
      />
    </Section>
  );
}

function Movements({ purchase: { transfers, lines } }: { purchase: Purchase }) {
  const holds = useHolds();
  const titleOf = new Map(lines.map(({ line, title }) => [line, title]));
  return (
    <Section title={m.sales_movements()}>
      <Timeline
        label={m.sales_movements()}
        entries={transfers.map(({ id, at, kind, line, amount }) => {
          const title = kind === 'purchase' ? m.sales_movement_paid() : m.sales_movement_refunded();
          return {
            key: id,
            at,
            title: holds('ledger.read') ? (
              <ObjectLink to={paths.ledgerTransfer(id)}>{title}</ObjectLink>
            ) : (
              title
            ),
            text: titleOf.get(line),
            trailing: (
              <Money units={kind === 'purchase' ? `-${amount}` : amount} asset="ATH" isMovement />
            ),
          };
        })}
      />
    </Section>
  );
}
