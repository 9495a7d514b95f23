import { m } from '@athos/messages/messages';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { MatchActions, type MoneyAct } from './match-actions.tsx';
import { MatchState } from './match-state.tsx';
import { typeTitle, WHAT_TITLES, type Transaction } from './money-words.ts';

const TransactionDialog = lazy(async () => ({
  default: (await import('./money-dialogs.tsx')).TransactionDialog,
}));

interface TransactionDetailProps {
  id: string;
  backTo: string;
}

/** One transaction of the provider's balance, with our booking, or the actions if there is none. */
export function TransactionDetail({ id, backTo }: TransactionDetailProps) {
  const read = useAdminItem('cardTransaction', { params: { id } });
  const [act, setAct] = useState<MoneyAct>();
  return (
    <DetailOf read={read} kind={m.reconciliation_transaction()} backTo={backTo}>
      {(transaction) => (
        <Detail
          kind={m.reconciliation_transaction()}
          title={typeTitle(transaction.type)}
          plainTitle={`${m.reconciliation_transaction()} ${id}`}
          state={
            <MatchState
              isMatched={transaction.bookingId !== null}
              explanation={transaction.explanation}
            />
          }
          backTo={backTo}
        >
          <p className="amount text-headline">
            <Money units={transaction.amountUsdCents} asset="USD" />
          </p>
          {transaction.bookingId === null && (
            <MatchActions canBook hasPartner={transaction.candidates.length > 0} onAct={setAct} />
          )}
          <TransactionFacts transaction={transaction} />
          <AuditOf type="card_transaction" id={id} />
          {act !== undefined && (
            <Suspense fallback={null}>
              <TransactionDialog
                act={act}
                transaction={transaction}
                onClose={() => setAct(undefined)}
              />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { booking, sourceId, explanation } = transaction;
  return (
    <Facts
      facts={[
        {
          label: m.reconciliation_fee(),
          value: <Money units={transaction.feeUsdCents} asset="USD" />,
        },
        {
          label: m.reconciliation_net(),
          value: <Money units={transaction.netUsdCents} asset="USD" />,
        },
        {
          label: m.reconciliation_explanation(),
          value: explanation,
          isHidden: explanation === null,
        },
        {
          label: m.reconciliation_booking(),
          value: booking !== null && (
            <span className="flex flex-wrap items-center gap-x-2">
              <ObjectLink to={paths.cardBooking(booking.id)}>
                {WHAT_TITLES[booking.what]()}
              </ObjectLink>
              <CopyId id={booking.id} isShort />
            </span>
          ),
          isHidden: booking === null,
        },
        {
          label: m.reconciliation_source(),
          value: sourceId !== null && <CopyId id={sourceId} />,
          isHidden: sourceId === null,
        },
        { label: m.reconciliation_created(), value: <Time at={transaction.createdAt} /> },
        { label: m.reconciliation_listed(), value: <Time at={transaction.listedAt} /> },
        { label: m.console_id(), value: <CopyId id={transaction.id} isShort /> },
      ]}
    />
  );
}
