/** The daily reconciliation: the provider's balance, the sum of its transactions, and the balance in our books. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminList } from '../../api/admin.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { dayText } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DayDetail } from './day-detail.tsx';
import { DayState, differenceOf, type Day } from './day-state.tsx';
import { ReconciliationTabs } from './reconciliation-tabs.tsx';

const cents = (units: string) => <Money units={units} asset="USD" />;

const columns = (): readonly Column<Day>[] => [
  {
    id: 'day',
    title: m.reconciliation_day(),
    cell: ({ day }) => <span className="tabular whitespace-nowrap">{dayText(day)}</span>,
  },
  { id: 'state', title: m.console_state(), cell: (day) => <DayState day={day} /> },
  {
    id: 'provider',
    title: m.reconciliation_provider(),
    cell: ({ providerUsdCents }) => cents(providerUsdCents),
    align: 'end',
    from: 'large',
  },
  {
    id: 'nets',
    title: m.reconciliation_nets(),
    cell: ({ netsUsdCents }) => cents(netsUsdCents),
    align: 'end',
    from: 'large',
  },
  {
    id: 'clearing',
    title: m.reconciliation_clearing(),
    cell: ({ clearingUsdCents }) => cents(clearingUsdCents),
    align: 'end',
    from: 'medium',
  },
  {
    id: 'inFlight',
    title: m.reconciliation_in_flight(),
    cell: ({ inFlightUsdCents }) => inFlightUsdCents !== '0' && cents(inFlightUsdCents),
    align: 'end',
    from: 'large',
  },
  {
    id: 'difference',
    title: m.reconciliation_difference(),
    cell: (day) => cents(differenceOf(day)),
    align: 'end',
  },
];

export function DaysScreen() {
  const { day } = useParams();
  const view = useListView([]);
  const list = useAdminList('reconciliationDays', {});
  return (
    <ListDetail
      list={
        <ListPage
          title={m.reconciliation_title()}
          list={list}
          view={view}
          filters={[]}
          columns={columns()}
          keyOf={(row) => row.day}
          pathOf={(row) => paths.reconciledDay(row.day)}
          openKey={day}
          path={paths.reconciliation}
          emptyText={m.reconciliation_days_empty()}
          lead={<ReconciliationTabs path={paths.reconciliation} />}
        />
      }
      detail={day === undefined ? undefined : <DayDetail key={day} day={day} />}
    />
  );
}
