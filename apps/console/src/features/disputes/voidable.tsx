/** Purchases made with disputed money: the items whose refund would repay the customer's debt. */
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { ItemCounts, itemChoice, type TypedCounts } from '../../kit/item-choice.tsx';
import { moneyText } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import type { Dispute } from './dispute-screen.tsx';

type Line = AdminAnswer<'voidable'>['lines'][number];

/** Shown once the dispute is lost, while the customer still has a debt from it. */
export function Voidable({ dispute }: { dispute: Dispute }) {
  const holds = useHolds();
  const isDue = dispute.phase === 'lost' && dispute.owedTokenAmount !== '0';
  return isDue && holds('purchases.read') ? <Proposal id={dispute.id} /> : null;
}

function Proposal({ id }: { id: string }) {
  const { item, failure, reload } = useAdminItem('voidable', { params: { id } });
  const [voided, setVoided] = useState<readonly Line[]>();
  return (
    <Section title={m.disputes_void()}>
      {item === undefined &&
        (failure === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : (
          <FailureView failure={failure} onRetry={reload} />
        ))}
      {item !== undefined && (
        <>
          <p className="text-dense text-ink-quiet">
            {item.lines.length === 0
              ? m.disputes_void_none()
              : m.disputes_void_text({ owed: moneyText(item.owedTokenAmount, 'ATH') })}
          </p>
          <Purchases lines={item.lines} onVoid={setVoided} />
          {voided !== undefined && (
            <VoidDialog
              lines={voided}
              owed={item.owedTokenAmount}
              onClose={() => setVoided(undefined)}
            />
          )}
        </>
      )}
    </Section>
  );
}

interface PurchasesProps {
  lines: readonly Line[];
  onVoid: (lines: readonly Line[]) => void;
}

/** Lists each purchase separately, because each is refunded separately. */
function Purchases({ lines, onVoid }: PurchasesProps) {
  const lack = useLack()('purchases.refund');
  return (
    <ul className="flex flex-col gap-4">
      {[...Map.groupBy(lines, ({ purchaseId }) => purchaseId)].map(([purchaseId, own]) => (
        <li key={purchaseId} className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="text-dense flex min-w-0 flex-[1_1_14rem] flex-col gap-0.5">
            <span className="flex flex-wrap gap-x-2">
              <span className="font-semibold">{m.sales_one()}</span>
              <SubjectLink type="purchase" id={String(purchaseId)} />
              {own[0] && <Time at={own[0].purchasedAt} precision="day" />}
            </span>
            {own.map((line) => (
              <span key={line.line} className="text-caption text-ink-quiet wrap-anywhere">
                {m.disputes_void_line({
                  title: line.title,
                  proposed: line.proposedCount,
                  open: line.openCount,
                  price: moneyText(line.price, 'ATH'),
                })}
              </span>
            ))}
          </div>
          <Button variant="quiet" isDense disabledReason={lack} onClick={() => onVoid(own)}>
            {m.disputes_void_open({ id: purchaseId })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface VoidDialogProps {
  /** The lines of one purchase. */
  lines: readonly Line[];
  owed: string;
  onClose: () => void;
}

/** Refunds the proposed items or others of the purchase. Above the policy's limit, it becomes an approval request. */
function VoidDialog({ lines, owed, onClose }: VoidDialogProps) {
  const { run, isPending } = useAdminAction('refundPurchase');
  const [typed, setTyped] = useState<TypedCounts>({});
  const [isStockReturned, setIsStockReturned] = useState(true);
  const refundable = lines.map(({ line, title, price, openCount, proposedCount }) => ({
    line,
    title,
    price,
    proposedCount,
    maxCount: openCount,
  }));
  const choice = itemChoice(refundable, typed);
  const amount = moneyText(choice?.total ?? '0', 'ATH');
  return (
    <ActionDialog
      title={m.disputes_void_title()}
      effect={
        choice === undefined
          ? m.sales_refund_effect_none()
          : m.disputes_void_effect({
              amount,
              count: choice.itemCount,
              owed: moneyText(owed, 'ATH'),
            })
      }
      actLabel={choice === undefined ? m.sales_refund() : m.sales_refund_act({ amount })}
      isDanger
      doneText={m.sales_refund_done()}
      disabledReason={choice === undefined ? m.sales_refund_reason_count() : undefined}
      isPending={isPending}
      run={(reason) =>
        run({
          params: { id: lines[0]?.purchaseId ?? 0 },
          body: { lines: [...(choice?.lines ?? [])], isStockReturned, reason },
        })
      }
      onClose={onClose}
    >
      <ItemCounts lines={refundable} typed={typed} onType={setTyped} />
      <Checkbox isChecked={isStockReturned} onCheckedChange={setIsStockReturned}>
        <span className="text-dense">{m.sales_refund_stock()}</span>
      </Checkbox>
    </ActionDialog>
  );
}
