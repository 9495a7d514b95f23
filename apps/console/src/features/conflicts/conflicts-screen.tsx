/** Items that were handed out twice, or refunded and handed out, newest first, and one of them beside the list. */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter, type FilterOption } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { ConflictDetail } from './conflict-detail.tsx';
import { conflictKind, ConflictState } from './conflict-state.tsx';

type Conflict = RowOf<'conflicts'>;

const filtersFor = (venues: readonly FilterOption[]): readonly Filter[] => [
  { id: 'venueId', label: m.redemptions_venue(), kind: 'choice', options: venues },
  {
    id: 'state',
    label: m.conflicts_state(),
    kind: 'choice',
    options: [
      { value: 'open', label: m.conflicts_open() },
      { value: 'written_off', label: m.conflicts_written_off() },
      { value: 'explained', label: m.conflicts_explained() },
    ],
  },
];

const columns = (): readonly Column<Conflict>[] => [
  {
    id: 'item',
    title: m.conflicts_item(),
    cell: ({ item }) => <span className="wrap-anywhere">{item.title}</span>,
  },
  {
    id: 'state',
    title: m.conflicts_state(),
    cell: ({ state }) => <ConflictState state={state} />,
  },
  { id: 'kind', title: m.conflicts_kind(), cell: conflictKind, from: 'large' },
  {
    id: 'venues',
    title: m.conflicts_venues(),
    cell: ({ first, second }) =>
      first === null || first.venue.id === second.venue.id
        ? second.venue.name
        : m.conflicts_between({ first: first.venue.name, second: second.venue.name }),
    from: 'large',
  },
  {
    id: 'value',
    title: m.conflicts_value(),
    cell: ({ value }) => <Money units={value} asset="ATH" />,
    align: 'end',
  },
  {
    id: 'found',
    title: m.conflicts_found(),
    cell: ({ foundAt }) => <Time at={foundAt} />,
    align: 'end',
    from: 'medium',
  },
];

export function ConflictsScreen() {
  const { id } = useParams();
  const { item: venues } = useAdminItem('venueNames', {});
  const filters = filtersFor(
    venues?.items.map((venue) => ({ value: String(venue.id), label: venue.name })) ?? [],
  );
  const view = useListView(filters);
  const list = useAdminList('conflicts', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.conflicts_title()}
          list={list}
          view={view}
          filters={filters}
          columns={columns()}
          keyOf={(conflict) => String(conflict.id)}
          pathOf={(conflict) => paths.conflict(conflict.id)}
          openKey={id}
          path={paths.conflicts}
          emptyText={m.conflicts_empty()}
        />
      }
      detail={id === undefined ? undefined : <ConflictDetail key={id} id={id} />}
    />
  );
}
