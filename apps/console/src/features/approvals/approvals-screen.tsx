/** The inbox: requests that need another person's approval. */
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { LoadingDetail } from '../../kit/detail.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import type { Column } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { actionTitle, STATE_TITLES, STATE_TONES, requesterName } from './approval-words.ts';
import { Worth } from './worth.tsx';

const ApprovalDetail = lazy(async () => ({
  default: (await import('./approval-detail.tsx')).ApprovalDetail,
}));

type Request = RowOf<'approvals'>;

const filters = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.console_state(),
    kind: 'choice',
    options: Object.entries(STATE_TITLES).map(([value, title]) => ({ value, label: title() })),
  },
  { id: 'action', label: m.approvals_action(), kind: 'text', hint: m.console_audit_action_hint() },
  {
    id: 'subjectId',
    label: m.approvals_subject_id(),
    kind: 'text',
    hint: m.approvals_subject_id_hint(),
  },
];

const columns = (): readonly Column<Request>[] => [
  { id: 'action', title: m.approvals_action(), cell: ({ action }) => actionTitle(action) },
  {
    id: 'state',
    title: m.console_state(),
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_TITLES[state]()}</Badge>,
    from: 'medium',
  },
  {
    id: 'amount',
    title: m.approvals_amount(),
    cell: ({ amount }) => amount !== null && <Worth amount={amount} />,
    align: 'end',
  },
  {
    id: 'by',
    title: m.approvals_by(),
    cell: requesterName,
    from: 'medium',
  },
  {
    id: 'votes',
    title: m.approvals_votes(),
    cell: ({ votesGiven, votesNeeded }) => (
      <span className="tabular">
        {m.approvals_votes_of({ given: votesGiven, needed: votesNeeded })}
      </span>
    ),
    align: 'end',
    from: 'large',
  },
  {
    id: 'expires',
    title: m.approvals_expires(),
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
    align: 'end',
    from: 'medium',
  },
];

const VIEWS = [
  { view: 'decide', title: m.approvals_view_decide, empty: m.approvals_empty_decide },
  { view: 'mine', title: m.approvals_view_mine, empty: m.approvals_empty_mine },
  { view: 'all', title: m.approvals_view_all, empty: m.approvals_empty_all },
] as const;

export function ApprovalsScreen() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const current = VIEWS.find(({ view }) => view === params.get('view')) ?? VIEWS[0];
  const view = useListView(filters());
  const list = useAdminList('approvals', { ...view.query, view: current.view });
  return (
    <ListDetail
      list={
        <ListPage
          title={m.approvals_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(request) => request.id}
          pathOf={(request) => paths.approval(request.id)}
          openKey={id}
          path={paths.approvals}
          emptyText={current.empty()}
          actions={
            // The requests that a person may decide change from minute to minute and are not a separate list, so they cannot be exported.
            current.view !== 'decide' && (
              <ExportButton
                name="approvals"
                filters={{ ...view.query, view: current.view }}
                count={list.count}
              />
            )
          }
          lead={
            <>
              {list.lastPage?.otherDeciderCount === 0 && (
                <Notice kind="danger" title={m.approvals_alone_title()}>
                  {m.approvals_alone()}
                </Notice>
              )}
              <Tabs
                label={m.approvals_title()}
                tabs={VIEWS.map(({ view: name, title }) => ({
                  label: title(),
                  to: name === 'decide' ? paths.approvals : `${paths.approvals}?view=${name}`,
                  isCurrent: name === current.view,
                }))}
              />
            </>
          }
        />
      }
      detail={
        id === undefined ? undefined : (
          <Suspense fallback={<LoadingDetail kind={m.approvals_one()} backTo={paths.approvals} />}>
            <ApprovalDetail key={id} id={id} />
          </Suspense>
        )
      }
    />
  );
}
