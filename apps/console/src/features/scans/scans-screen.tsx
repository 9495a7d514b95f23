/** The log of scans with their refusals, newest first, with the opened one beside the list. */
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
import { ScanDetail } from './scan-detail.tsx';
import { OUTCOMES, outcomeTitle, outcomeTone } from '../../kit/scan-words.ts';

type Scan = RowOf<'scans'>;

const filtersFor = (venues: readonly FilterOption[]): readonly Filter[] => [
  { id: 'venueId', label: m.redemptions_venue(), kind: 'choice', options: venues },
  {
    id: 'outcome',
    label: m.venues_outcome(),
    kind: 'choice',
    options: [
      { value: 'refused', label: m.scans_refused() },
      ...OUTCOMES.map((outcome) => ({ value: outcome, label: outcomeTitle(outcome) })),
    ],
  },
  {
    id: 'action',
    label: m.scans_action(),
    kind: 'choice',
    options: [
      { value: 'scan', label: m.scans_action_scan() },
      { value: 'redeem', label: m.scans_action_redeem() },
    ],
  },
  { id: 'scannerUuid', label: m.redemptions_scanner(), kind: 'text' },
  { id: 'customerUuid', label: m.sales_customer(), kind: 'text' },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const uuidCell = (uuid: string | null) =>
  uuid !== null && <code className="font-code text-caption text-ink-quiet">{shortId(uuid)}</code>;

const columns = (): readonly Column<Scan>[] => [
  {
    id: 'outcome',
    title: m.venues_outcome(),
    cell: ({ outcome }) => <Badge tone={outcomeTone(outcome)}>{outcomeTitle(outcome)}</Badge>,
  },
  {
    id: 'titles',
    title: m.sales_items(),
    cell: ({ titles }) => <span className="break-words">{titles.join(', ')}</span>,
    from: 'medium',
  },
  {
    id: 'redeemed',
    title: m.redemptions_count(),
    cell: ({ action, redeemedCount, itemCount }) => (
      <span className="tabular">
        {action === 'redeem' ? `${redeemedCount} / ${itemCount}` : m.scans_action_scan()}
      </span>
    ),
    align: 'end',
    from: 'medium',
  },
  { id: 'venue', title: m.redemptions_venue(), cell: ({ venue }) => venue?.name ?? '' },
  {
    id: 'scanner',
    title: m.redemptions_scanner(),
    cell: ({ scannerUuid }) => uuidCell(scannerUuid),
    from: 'large',
  },
  {
    id: 'customer',
    title: m.approvals_customer(),
    cell: ({ customerUuid }) => uuidCell(customerUuid),
    from: 'large',
  },
  {
    id: 'at',
    title: m.console_time(),
    cell: ({ at }) => <Time at={at} precision="second" />,
    align: 'end',
    from: 'medium',
  },
];

export function ScansScreen() {
  const { id } = useParams();
  const { item: venues } = useAdminItem('venueNames', {});
  const filters = filtersFor(
    venues?.items.map((venue) => ({ value: String(venue.id), label: venue.name })) ?? [],
  );
  const view = useListView(filters);
  const list = useAdminList('scans', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.scans_title()}
          list={list}
          view={view}
          filters={filters}
          columns={columns()}
          keyOf={(scan) => String(scan.id)}
          pathOf={(scan) => paths.scan(scan.id)}
          openKey={id}
          path={paths.scans}
          emptyText={m.scans_empty()}
          endNote={<LookedUntil at={list.lastPage?.lookedUntil} />}
          actions={<ExportButton name="scans" filters={view.query} count={list.count} />}
        />
      }
      detail={id === undefined ? undefined : <ScanDetail key={id} id={id} />}
    />
  );
}
