/** Payments that cardholders dispute, the earliest deadline first. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { PHASE_TITLES, reasonTitle, statusTitle, statusTone } from './dispute-words.ts';
import { DueDate } from './due-date.tsx';

type Dispute = RowOf<'consoleDisputes'>;

const VIEWS = [
  { view: 'answer', title: m.disputes_view_answer, empty: m.disputes_empty_answer },
  { view: 'undecided', title: m.disputes_view_undecided, empty: m.disputes_empty_undecided },
  { view: 'all', title: m.disputes_view_all, empty: m.disputes_empty_all },
] as const;

const customerFilter = (): Filter => ({
  id: 'customerUuid',
  label: m.disputes_customer_uuid(),
  kind: 'text',
});

const phaseFilter = (): Filter => ({
  id: 'phase',
  label: m.disputes_phase(),
  kind: 'choice',
  options: Object.entries(PHASE_TITLES).map(([value, title]) => ({ value, label: title() })),
});

const columns = (nowMs: number): readonly Column<Dispute>[] => [
  { id: 'reason', title: m.disputes_reason(), cell: ({ reason }) => reasonTitle(reason) },
  {
    id: 'status',
    title: m.console_state(),
    cell: (dispute) => <Badge tone={statusTone(dispute)}>{statusTitle(dispute.status)}</Badge>,
    from: 'medium',
  },
  {
    id: 'due',
    title: m.disputes_due(),
    cell: (dispute) => <DueDate dispute={dispute} nowMs={nowMs} />,
  },
  {
    id: 'opened',
    title: m.disputes_opened(),
    cell: ({ openedAt }) => <Time at={openedAt} precision="day" />,
    align: 'end',
    from: 'large',
  },
  {
    id: 'owed',
    title: m.disputes_owed(),
    cell: ({ owedTokenAmount: owed }) => owed !== '0' && <Money units={owed} asset="ATH" />,
    align: 'end',
    from: 'large',
  },
  {
    id: 'amount',
    title: m.disputes_amount(),
    cell: ({ amountUsdCents }) => <Money units={amountUsdCents} asset="USD" />,
    align: 'end',
  },
];

export function DisputesScreen() {
  const [params] = useSearchParams();
  const [nowMs] = useState(() => Date.now());
  const current = VIEWS.find(({ view }) => view === params.get('view')) ?? VIEWS[0];
  // The other views are phases themselves.
  const filters = current.view === 'all' ? [phaseFilter(), customerFilter()] : [customerFilter()];
  const view = useListView(filters);
  const query = { ...view.query, view: current.view };
  const list = useAdminList('consoleDisputes', query);
  return (
    <ListPage
      title={m.disputes_title()}
      list={list}
      view={view}
      filters={filters}
      columns={columns(nowMs)}
      keyOf={({ id }) => id}
      pathOf={({ id }) => paths.dispute(id)}
      path={paths.disputes}
      emptyText={current.empty()}
      actions={<ExportButton name="disputes" filters={query} count={list.count} />}
      lead={
        <Tabs
          label={m.disputes_title()}
          tabs={VIEWS.map(({ view: name, title }) => ({
            label: title(),
            to: name === 'answer' ? paths.disputes : `${paths.disputes}?view=${name}`,
            isCurrent: name === current.view,
          }))}
        />
      }
    />
  );
}
