/** Money on either side that was not matched within an hour, the oldest first. */
import { isUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { useNavigate, useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { useKey } from '../../kit/keys.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { BookingDetail } from './booking-detail.tsx';
import { typeTitle, WHAT_TITLES } from './money-words.ts';
import { ReconciliationTabs } from './reconciliation-tabs.tsx';
import { TransactionDetail } from './transaction-detail.tsx';

interface Unmatched {
  readonly id: string;
  readonly title: string;
  readonly isBooking: boolean;
  readonly amountUsdCents: string;
  readonly since: string;
}

function rowsOf({ transactions, bookings }: AdminAnswer<'unmatchedMoney'>): Unmatched[] {
  const rows = [
    ...transactions.map(({ id, type, amountUsdCents, listedAt }) => ({
      id,
      title: typeTitle(type),
      isBooking: false,
      amountUsdCents,
      since: listedAt,
    })),
    ...bookings.map(({ id, what, amountUsdCents, bookedAt }) => ({
      id,
      title: WHAT_TITLES[what](),
      isBooking: true,
      amountUsdCents,
      since: bookedAt,
    })),
  ];
  return rows.toSorted((one, other) => one.since.localeCompare(other.since));
}

const columns = (): readonly Column<Unmatched>[] => [
  { id: 'what', title: m.reconciliation_unmatched_what(), cell: ({ title }) => title },
  {
    id: 'side',
    title: m.reconciliation_side(),
    cell: ({ isBooking }) => (
      <Badge tone={isBooking ? 'neutral' : 'info'}>
        {isBooking ? m.reconciliation_side_books() : m.reconciliation_side_provider()}
      </Badge>
    ),
  },
  {
    id: 'since',
    title: m.reconciliation_unmatched_since(),
    cell: ({ since }) => <Time at={since} />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'amount',
    title: m.reconciliation_amount(),
    cell: ({ amountUsdCents }) => <Money units={amountUsdCents} asset="USD" />,
    align: 'end',
  },
];

export function UnmatchedScreen() {
  const { id } = useParams();
  return (
    <ListDetail list={<UnmatchedList openKey={id} />} detail={id && <OneOf key={id} id={id} />} />
  );
}

/** Bookings have our own ids, transactions those of the provider. */
const OneOf = ({ id }: { id: string }) =>
  isUuid(id) ? (
    <BookingDetail id={id} backTo={paths.unmatchedMoney} />
  ) : (
    <TransactionDetail id={id} backTo={paths.unmatchedMoney} />
  );

function UnmatchedList({ openKey }: { openKey: string | undefined }) {
  const { item, failure, reload } = useAdminItem('unmatchedMoney', {});
  const navigate = useNavigate();
  useKey(
    'Escape',
    openKey === undefined ? undefined : m.console_keys_close(),
    () => void navigate(paths.unmatchedMoney),
  );
  const rows = item && rowsOf(item);
  return (
    <Page
      title={m.reconciliation_title()}
      count={rows === undefined ? undefined : String(rows.length)}
    >
      <ReconciliationTabs path={paths.unmatchedMoney} />
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows?.length === 0 ? (
        <EmptyState
          title={m.reconciliation_unmatched_empty_title()}
          text={m.reconciliation_unmatched_empty()}
        />
      ) : (
        (rows !== undefined || failure === undefined) && (
          <Table
            label={m.reconciliation_tab_unmatched()}
            columns={columns()}
            rows={rows}
            keyOf={({ id }) => id}
            pathOf={({ id }) => paths.unmatched(id)}
            openKey={openKey}
          />
        )
      )}
      {item?.hasMore === true && (
        <p className="text-dense text-ink-quiet" role="status">
          {m.reconciliation_unmatched_more()}
        </p>
      )}
    </Page>
  );
}
