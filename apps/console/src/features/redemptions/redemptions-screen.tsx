/** Redemptions by venue, newest first, with the opened one beside the list. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter, type FilterOption } from '../../kit/list-view.ts';
import { LookedUntil } from '../../kit/looked-until.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { RedemptionDetail } from './redemption-detail.tsx';

type Redemption = RowOf<'redemptions'>;

const filters = (venues: readonly FilterOption[]): readonly Filter[] => [
  { id: 'venueId', label: m.redemptions_venue(), kind: 'choice', options: venues },
  { id: 'customerUuid', label: m.sales_customer(), kind: 'text' },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Redemption>[] => [
  {
    id: 'titles',
    title: m.sales_items(),
    cell: ({ titles }) => <span className="wrap-anywhere">{titles.join(', ')}</span>,
  },
  {
    id: 'count',
    title: m.redemptions_count(),
    cell: ({ itemCount, reversedCount }) => (
      <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
        <span className="tabular">{itemCount}</span>
        {reversedCount > 0 && (
          <Badge tone="info">{m.redemptions_reversed({ count: reversedCount })}</Badge>
        )}
      </span>
    ),
    align: 'end',
  },
  { id: 'venue', title: m.redemptions_venue(), cell: ({ venue }) => venue.name, from: 'medium' },
  {
    id: 'customer',
    title: m.approvals_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'at',
    title: m.console_time(),
    cell: ({ at }) => <Time at={at} />,
    align: 'end',
    from: 'medium',
  },
];

export function RedemptionsScreen() {
  const { id } = useParams();
  const { item: venues } = useAdminItem('venueNames', {});
  const shown = filters(
    venues?.items.map((venue) => ({ value: String(venue.id), label: venue.name })) ?? [],
  );
  const view = useListView(shown);
  const list = useAdminList('redemptions', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.redemptions_title()}
          list={list}
          view={view}
          filters={shown}
          columns={columns()}
          keyOf={(redemption) => String(redemption.id)}
          pathOf={(redemption) => paths.redemption(redemption.id)}
          openKey={id}
          path={paths.redemptions}
          emptyText={m.redemptions_empty()}
          endNote={<LookedUntil at={list.lastPage?.lookedUntil} />}
          actions={<ExportButton name="redemptions" filters={view.query} count={list.count} />}
        />
      }
      detail={id === undefined ? undefined : <RedemptionDetail key={id} id={id} />}
    />
  );
}
