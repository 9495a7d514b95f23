/** Purchases, newest first, with the opened one beside the list. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { PurchaseBadges } from './purchase-badges.tsx';
import { PurchaseDetail } from './purchase-detail.tsx';

type Purchase = RowOf<'purchases'>;

const filters = (): readonly Filter[] => [
  { id: 'id', label: m.sales_id(), kind: 'text', hint: m.sales_id_hint() },
  { id: 'customerUuid', label: m.sales_customer(), kind: 'text' },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Purchase>[] => [
  {
    id: 'titles',
    title: m.sales_items(),
    cell: ({ titles }) => <span className="wrap-anywhere">{titles.join(', ')}</span>,
  },
  { id: 'state', title: m.console_state(), cell: (purchase) => <PurchaseBadges {...purchase} /> },
  {
    id: 'customer',
    title: m.approvals_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'id',
    title: m.console_id(),
    cell: ({ id }) => <span className="tabular">{id}</span>,
    align: 'end',
    from: 'large',
  },
  {
    id: 'total',
    title: m.sales_total(),
    cell: ({ total }) => <Money units={total} asset="ATH" />,
    align: 'end',
  },
  {
    id: 'at',
    title: m.console_time(),
    cell: ({ purchasedAt }) => <Time at={purchasedAt} />,
    align: 'end',
    from: 'medium',
  },
];

export function PurchasesScreen() {
  const { id } = useParams();
  const view = useListView(filters());
  const list = useAdminList('purchases', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.sales_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(purchase) => String(purchase.id)}
          pathOf={(purchase) => paths.purchase(purchase.id)}
          openKey={id}
          path={paths.purchases}
          emptyText={m.sales_empty()}
          actions={<ExportButton name="purchases" filters={view.query} count={list.count} />}
        />
      }
      detail={id === undefined ? undefined : <PurchaseDetail key={id} id={id} />}
    />
  );
}
