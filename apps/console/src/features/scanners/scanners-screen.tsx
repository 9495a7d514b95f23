/** The scanner devices, with the opened one beside the list. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter, type FilterOption } from '../../kit/list-view.ts';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DeviceState } from './device-state.tsx';
import { ScannerDetail } from './scanner-detail.tsx';

type Scanner = RowOf<'scanners'>;

const filtersFor = (venues: readonly FilterOption[]): readonly Filter[] => [
  { id: 'venueId', label: m.redemptions_venue(), kind: 'choice', options: venues },
  {
    id: 'state',
    label: m.scanners_state(),
    kind: 'choice',
    options: [
      { value: 'signed_in', label: m.scanners_signed_in() },
      { value: 'signed_out', label: m.scanners_signed_out() },
      { value: 'blocked', label: m.scanners_blocked() },
      { value: 'suspect', label: m.scanners_suspect() },
    ],
  },
];

const columns = (): readonly Column<Scanner>[] => [
  {
    id: 'name',
    title: m.scanners_name(),
    cell: ({ name, label }) => <span className="wrap-anywhere">{name ?? label}</span>,
  },
  { id: 'state', title: m.scanners_state(), cell: (scanner) => <DeviceState scanner={scanner} /> },
  {
    id: 'venue',
    title: m.redemptions_venue(),
    cell: ({ venue }) => venue?.name ?? '',
    from: 'medium',
  },
  {
    id: 'scan',
    title: m.scanners_last_scan(),
    cell: ({ lastScanAt }) => lastScanAt !== null && <Time at={lastScanAt} />,
    align: 'end',
    from: 'large',
  },
  {
    id: 'seen',
    title: m.scanners_last_seen(),
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
    align: 'end',
    from: 'medium',
  },
];

export function ScannersScreen() {
  const { id } = useParams();
  const { item: venues } = useAdminItem('venueNames', {});
  const filters = filtersFor(
    venues?.items.map((venue) => ({ value: String(venue.id), label: venue.name })) ?? [],
  );
  const view = useListView(filters);
  const list = useAdminList('scanners', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.scanners_title()}
          list={list}
          view={view}
          filters={filters}
          columns={columns()}
          keyOf={(scanner) => scanner.id}
          pathOf={(scanner) => paths.scanner(scanner.id)}
          openKey={id}
          path={paths.scanners}
          emptyText={m.scanners_empty()}
        />
      }
      detail={id === undefined ? undefined : <ScannerDetail key={id} id={id} />}
    />
  );
}
