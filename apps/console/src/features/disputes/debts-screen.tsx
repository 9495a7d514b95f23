/** Debts of customers after a dispute took more than their balance, and how much of each is repaid. */
import { m } from '@athos/messages/messages';
import { useParams, useSearchParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DebtDetail, DebtState } from './debt-detail.tsx';
import { Progress } from './debt-progress.tsx';

type Debt = RowOf<'consoleDebts'>;

const VIEWS = [
  { state: 'open', title: m.disputes_debts_view_open, empty: m.disputes_debts_empty_open },
  { state: 'closed', title: m.disputes_debts_view_closed, empty: m.disputes_debts_empty_closed },
] as const;

const filters = (): readonly Filter[] => [
  { id: 'customerUuid', label: m.disputes_customer_uuid(), kind: 'text' },
];

const columns = (): readonly Column<Debt>[] => [
  {
    id: 'customer',
    title: m.disputes_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption">{shortId(customerUuid)}</code>
    ),
  },
  { id: 'recovery', title: m.disputes_debts_recovery(), cell: (debt) => <Progress debt={debt} /> },
  {
    id: 'state',
    title: m.console_state(),
    cell: (debt) => <DebtState debt={debt} />,
    from: 'large',
  },
  {
    id: 'since',
    title: m.disputes_debts_since(),
    cell: ({ createdAt }) => <Time at={createdAt} precision="day" />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'owed',
    title: m.disputes_debts_owed(),
    cell: ({ owedTokenAmount }) => <Money units={owedTokenAmount} asset="ATH" />,
    align: 'end',
    from: 'medium',
  },
];

export function DebtsScreen() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const current = VIEWS.find(({ state }) => state === params.get('state')) ?? VIEWS[0];
  const view = useListView(filters());
  const list = useAdminList('consoleDebts', { ...view.query, state: current.state });
  return (
    <ListDetail
      list={
        <ListPage
          title={m.disputes_debts_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(debt) => debt.id}
          pathOf={(debt) => paths.debt(debt.id)}
          openKey={id}
          path={paths.debts}
          emptyText={current.empty()}
          lead={
            <Tabs
              label={m.disputes_debts_title()}
              tabs={VIEWS.map(({ state, title }) => ({
                label: title(),
                to: state === 'open' ? paths.debts : `${paths.debts}?state=${state}`,
                isCurrent: state === current.state,
              }))}
            />
          }
        />
      }
      detail={id === undefined ? undefined : <DebtDetail key={id} id={id} />}
    />
  );
}
