/** One account: its balance, and its movements, each with the balance after it. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, ObjectLink } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView } from '../../kit/list-view.ts';
import { LookedUntil } from '../../kit/looked-until.tsx';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { Floor } from './accounts-screen.tsx';
import { accountTitle, KIND_TITLES } from '../../kit/ledger-words.ts';
import { ACCOUNT_STATES, type Account } from './accounts.ts';
import { movementFilters } from './movement-filters.ts';

type Transfer = RowOf<'ledgerTransfers'>;

export function LedgerAccountScreen() {
  const { id = '' } = useParams();
  const { item, failure, reload } = useAdminItem('ledgerAccount', { params: { id } });
  if (item !== undefined) return <AccountPage key={id} account={item} />;
  return (
    <Page title={m.ledger_account()}>
      {failure === undefined ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <FailureView failure={failure} onRetry={reload} />
      )}
    </Page>
  );
}

const isDebit = ({ debit }: Transfer, id: string): boolean => debit.id === id;

const columns = ({ id, asset }: Account): readonly Column<Transfer>[] => [
  { id: 'kind', title: m.ledger_kind(), cell: ({ kind }) => KIND_TITLES[kind]() },
  {
    id: 'other',
    title: m.ledger_other_side(),
    cell: (transfer) => accountTitle(isDebit(transfer, id) ? transfer.credit : transfer.debit),
    from: 'medium',
  },
  { id: 'at', title: m.console_time(), cell: ({ at }) => <Time at={at} />, from: 'medium' },
  {
    id: 'amount',
    title: m.ledger_amount(),
    cell: (transfer) => (
      <Money
        units={isDebit(transfer, id) ? `-${transfer.amount}` : transfer.amount}
        asset={asset}
        isMovement
      />
    ),
    align: 'end',
  },
  {
    id: 'after',
    title: m.ledger_after(),
    cell: (transfer) => (
      <Money
        units={isDebit(transfer, id) ? transfer.debitAfter : transfer.creditAfter}
        asset={asset}
      />
    ),
    align: 'end',
  },
];

function AccountPage({ account }: { account: Account }) {
  const { id, asset } = account;
  const filters = movementFilters(asset);
  const view = useListView(filters);
  const list = useAdminList('ledgerTransfers', { ...view.query, accountId: id });
  return (
    <ListPage
      title={accountTitle(account)}
      list={list}
      view={view}
      filters={filters}
      columns={columns(account)}
      keyOf={(transfer) => transfer.id}
      pathOf={(transfer) => paths.ledgerTransfer(transfer.id)}
      path={paths.ledgerAccounts}
      emptyText={m.ledger_movements_empty()}
      lead={<AccountFacts account={account} />}
      endNote={<LookedUntil at={list.lastPage?.lookedUntil} />}
    />
  );
}

function AccountFacts({ account }: { account: Account }) {
  const { id, asset, balance, state, customerUuid } = account;
  return (
    <Facts
      isWide
      facts={[
        {
          label: m.ledger_balance(),
          value: (
            <strong>
              <Money units={balance} asset={asset} />
            </strong>
          ),
        },
        { label: m.ledger_floor(), value: <Floor account={account} /> },
        {
          label: m.console_state(),
          value: <Badge tone={ACCOUNT_STATES[state].tone}>{ACCOUNT_STATES[state].title()}</Badge>,
        },
        { label: m.console_id(), value: <CopyId id={id} /> },
        {
          label: m.ledger_customer(),
          value: <CopyId id={customerUuid ?? ''} />,
          isHidden: customerUuid === null,
        },
        {
          label: m.ledger_accounts_title(),
          value: <ObjectLink to={paths.ledgerAccounts}>{m.console_view_all()}</ObjectLink>,
        },
      ]}
    />
  );
}
