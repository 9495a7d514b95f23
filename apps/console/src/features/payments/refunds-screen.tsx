/** Refunds to cards in all states, with the opened one beside the list. */
import { m } from '@athos/messages/messages';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { LoadingDetail } from '../../kit/detail.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { ListSearch, searchFilter } from '../../kit/list-search.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { REFUND_STATE, stateOptions } from './payment-words.ts';

const RefundDetail = lazy(async () => ({
  default: (await import('./refund-detail.tsx')).RefundDetail,
}));

type Refund = RowOf<'consoleRefunds'>;

const filters = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.console_state(),
    kind: 'choice',
    options: stateOptions(REFUND_STATE),
  },
  { id: 'customerUuid', label: m.payments_customer(), kind: 'text', hint: m.payments_uuid_hint() },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Refund>[] => [
  {
    id: 'total',
    title: m.payments_total(),
    cell: ({ totalUsdCents }) => <Money units={totalUsdCents} asset="USD" />,
  },
  {
    id: 'state',
    title: m.console_state(),
    cell: ({ state }) => (
      <Badge tone={REFUND_STATE[state].tone}>{REFUND_STATE[state].title()}</Badge>
    ),
  },
  {
    id: 'taken',
    title: m.payments_refund_taken(),
    cell: ({ takenTokenAmount }) => <Money units={takenTokenAmount} asset="ATH" />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'customer',
    title: m.payments_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'createdAt',
    title: m.payments_refund_asked(),
    cell: ({ createdAt }) => <Time at={createdAt} />,
    align: 'end',
    sort: { descending: 'newest', ascending: 'oldest' },
  },
];

const POLL_MS = 30_000;

export function RefundsScreen() {
  const { id } = useParams();
  const view = useListView([searchFilter(m.payments_refunds_search()), ...filters()], 'newest');
  const list = useAdminList('consoleRefunds', view.query, {}, { pollMs: POLL_MS });
  return (
    <ListDetail
      list={
        <ListPage
          title={m.payments_refunds_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(refund) => refund.id}
          pathOf={(refund) => paths.refund(refund.id)}
          openKey={id}
          path={paths.refunds}
          emptyText={m.payments_refunds_empty()}
          actions={<ExportButton name="refunds" filters={view.query} count={list.count} />}
          lead={
            <ListSearch
              view={view}
              label={m.payments_refunds_search()}
              hint={m.payments_refunds_search_hint()}
            />
          }
        />
      }
      detail={
        id === undefined ? undefined : (
          <Suspense
            fallback={<LoadingDetail kind={m.payments_refund_one()} backTo={paths.refunds} />}
          >
            <RefundDetail key={id} id={id} />
          </Suspense>
        )
      }
    />
  );
}
