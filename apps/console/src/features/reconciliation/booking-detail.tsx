import { m } from '@athos/messages/messages';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { MatchActions, type MoneyAct } from './match-actions.tsx';
import { MatchState } from './match-state.tsx';
import { typeTitle, WHAT_TITLES, type Booking } from './money-words.ts';

const BookingDialog = lazy(async () => ({
  default: (await import('./money-dialogs.tsx')).BookingDialog,
}));

export function BookingScreen() {
  const { id = '' } = useParams();
  return <BookingDetail key={id} id={id} backTo={paths.cardTransactions} />;
}

/** One of our bookings on the provider's account, with its transaction, or the actions if it has none. */
export function BookingDetail({ id, backTo }: { id: string; backTo: string }) {
  const read = useAdminItem('cardBooking', { params: { id } });
  const [act, setAct] = useState<MoneyAct>();
  return (
    <DetailOf read={read} kind={m.reconciliation_booking()} backTo={backTo}>
      {(booking) => (
        <Detail
          kind={m.reconciliation_booking()}
          title={WHAT_TITLES[booking.what]()}
          plainTitle={`${m.reconciliation_booking()} ${id}`}
          state={<MatchState {...booking} />}
          backTo={backTo}
        >
          <p className="amount text-headline">
            <Money units={booking.amountUsdCents} asset="USD" />
          </p>
          {!booking.isMatched && (
            <MatchActions hasPartner={booking.candidates.length > 0} onAct={setAct} />
          )}
          <BookingFacts booking={booking} />
          <AuditOf type="card_transaction" id={id} />
          {act !== undefined && (
            <Suspense fallback={null}>
              <BookingDialog act={act} booking={booking} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

function BookingFacts({ booking }: { booking: Booking }) {
  const { id, transaction, paymentId, sourceId, explanation } = booking;
  return (
    <Facts
      facts={[
        {
          label: m.reconciliation_fee(),
          value: <Money units={booking.feeUsdCents} asset="USD" />,
          isHidden: !booking.isMatched,
        },
        {
          label: m.reconciliation_explanation(),
          value: explanation,
          isHidden: explanation === null,
        },
        {
          label: m.reconciliation_transaction(),
          value: transaction !== null && (
            <span className="flex flex-wrap items-center gap-x-2">
              <ObjectLink to={paths.cardTransaction(transaction.id)}>
                {typeTitle(transaction.type)}
              </ObjectLink>
              <CopyId id={transaction.id} isShort />
            </span>
          ),
          isHidden: transaction === null,
        },
        {
          label: m.reconciliation_payment(),
          value: paymentId !== null && <SubjectLink type="card_order" id={paymentId} />,
          isHidden: paymentId === null,
        },
        {
          label: m.reconciliation_source(),
          value: sourceId !== null && <CopyId id={sourceId} />,
          isHidden: sourceId === null,
        },
        { label: m.reconciliation_booked_at(), value: <Time at={booking.bookedAt} /> },
        {
          label: m.reconciliation_ledger(),
          value: (
            <ObjectLink to={`${paths.ledgerTransfers}?key=${id}`}>
              {m.reconciliation_ledger_show()}
            </ObjectLink>
          ),
        },
        { label: m.console_id(), value: <CopyId id={id} isShort /> },
      ]}
    />
  );
}
