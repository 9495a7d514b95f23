/** One redemption: the staff, the items, the venue, and the items that were made redeemable again. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Undo2 from 'lucide-react/icons/undo-2';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';

const ReverseDialog = lazy(async () => ({
  default: (await import('./reverse-dialog.tsx')).ReverseDialog,
}));

export type Redemption = AdminAnswer<'redemption'>;
type Item = Redemption['items'][number];

/** The items that a reversal can make redeemable again. */
export const reversibleItems = ({ items }: Redemption): readonly Item[] =>
  items.filter(({ isRefunded, reversal }) => !isRefunded && reversal === null);

export function RedemptionDetail({ id }: { id: string }) {
  const read = useAdminItem('redemption', { params: { id } });
  const [isReversing, setIsReversing] = useState(false);
  return (
    <DetailOf read={read} kind={m.redemptions_one()} backTo={paths.redemptions}>
      {(redemption) => (
        <Detail
          kind={m.redemptions_one()}
          title={redemption.venue.name}
          plainTitle={`${m.redemptions_one()} ${redemption.id}`}
          state={
            redemption.reversedCount > 0 && (
              <Badge tone="info">
                {m.redemptions_reversed({ count: redemption.reversedCount })}
              </Badge>
            )
          }
          actions={<Reverse redemption={redemption} onReverse={() => setIsReversing(true)} />}
          backTo={paths.redemptions}
        >
          <RedemptionFacts redemption={redemption} />
          <Section title={m.sales_items()}>
            <ul className="divide-line flex flex-col divide-y">
              {redemption.items.map((item) => (
                <ItemLine key={item.id} item={item} />
              ))}
            </ul>
          </Section>
          <AuditOf type="redemption" id={String(redemption.id)} />
          {isReversing && (
            <Suspense fallback={null}>
              <ReverseDialog redemption={redemption} onClose={() => setIsReversing(false)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

function Reverse(props: { redemption: Redemption; onReverse: () => void }) {
  const lack = useLack();
  const isNoneLeft = reversibleItems(props.redemption).length === 0;
  return (
    <Button
      isDense
      icon={<Undo2 size={16} aria-hidden />}
      disabledReason={
        lack('redemptions.reverse') ?? (isNoneLeft ? m.redemptions_none_left() : undefined)
      }
      onClick={props.onReverse}
    >
      {m.redemptions_reverse()}
    </Button>
  );
}

function RedemptionFacts({ redemption }: { redemption: Redemption }) {
  const { id, at, customerUuid, scannerUuid } = redemption;
  return (
    <Facts
      facts={[
        { label: m.console_time(), value: <Time at={at} precision="second" /> },
        {
          label: m.approvals_customer(),
          value: <SubjectLink type="customer" id={customerUuid} />,
        },
        {
          label: m.redemptions_scanner(),
          value: <SubjectLink type="customer" id={scannerUuid} />,
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}

function ItemLine({ item }: { item: Item }) {
  const holds = useHolds();
  const { id, purchaseId, title, price, isRefunded, reversal } = item;
  return (
    <li className="text-dense flex flex-col gap-1 py-3 first:pt-0">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
        <span className="min-w-0 wrap-anywhere">{title}</span>
        <Money units={price} asset="ATH" />
      </span>
      <span className="text-caption text-ink-quiet flex min-h-8 flex-wrap items-center gap-x-3">
        <code className="font-code">{id}</code>
        {isRefunded && <Badge>{m.sales_refunded()}</Badge>}
        {holds('purchases.read') && (
          <ObjectLink to={paths.purchase(purchaseId)}>{m.sales_one()}</ObjectLink>
        )}
      </span>
      {reversal !== null && (
        <span className="flex flex-col gap-1">
          <span className="text-caption text-ink-quiet flex flex-wrap items-center gap-x-2">
            <Badge tone="info">{m.redemptions_reversed_one()}</Badge>
            {reversal.by.name}, <Time at={reversal.at} />
            <ObjectLink to={paths.approval(reversal.approvalId)}>
              {m.redemptions_request()}
            </ObjectLink>
          </span>
          <span className="wrap-anywhere">{reversal.reason}</span>
        </span>
      )}
    </li>
  );
}
