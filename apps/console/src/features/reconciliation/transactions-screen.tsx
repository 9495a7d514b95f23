/** Transactions of the provider's balance: payouts, fees, and everything else that moved it. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { MatchState } from './match-state.tsx';
import { typeTitle } from './money-words.ts';
import { ReconciliationTabs } from './reconciliation-tabs.tsx';
import { TransactionDetail } from './transaction-detail.tsx';

type Transaction = RowOf<'cardTransactions'>;

const filters = (): readonly Filter[] => [
  {
    id: 'group',
    label: m.reconciliation_group(),
    kind: 'choice',
    options: [
      { value: 'payouts', label: m.reconciliation_group_payouts() },
      { value: 'fees', label: m.reconciliation_group_fees() },
      { value: 'payments', label: m.reconciliation_group_payments() },
      { value: 'refunds', label: m.reconciliation_group_refunds() },
      { value: 'disputes', label: m.reconciliation_group_disputes() },
    ],
  },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Transaction>[] => [
  { id: 'type', title: m.reconciliation_type(), cell: ({ type }) => typeTitle(type) },
  {
    id: 'state',
    title: m.console_state(),
    cell: ({ bookingId, explanation }) => (
      <MatchState isMatched={bookingId !== null} explanation={explanation} />
    ),
    from: 'medium',
  },
  {
    id: 'created',
    title: m.console_time(),
    cell: ({ createdAt }) => <Time at={createdAt} />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'amount',
    title: m.reconciliation_amount(),
    cell: ({ amountUsdCents }) => <Money units={amountUsdCents} asset="USD" />,
    align: 'end',
    from: 'large',
  },
  {
    id: 'fee',
    title: m.reconciliation_fee(),
    cell: ({ feeUsdCents }) => <Money units={feeUsdCents} asset="USD" />,
    align: 'end',
  },
  {
    id: 'net',
    title: m.reconciliation_net(),
    cell: ({ netUsdCents }) => <Money units={netUsdCents} asset="USD" />,
    align: 'end',
  },
];

export function TransactionsScreen() {
  const { id } = useParams();
  const view = useListView(filters());
  const list = useAdminList('cardTransactions', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.reconciliation_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(transaction) => transaction.id}
          pathOf={(transaction) => paths.cardTransaction(transaction.id)}
          openKey={id}
          path={paths.cardTransactions}
          emptyText={m.reconciliation_transactions_empty()}
          lead={<ReconciliationTabs path={paths.cardTransactions} />}
        />
      }
      detail={
        id === undefined ? undefined : (
          <TransactionDetail key={id} id={id} backTo={paths.cardTransactions} />
        )
      }
    />
  );
}
