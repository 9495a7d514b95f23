/** Venues by name with their current scans, and the opened venue beside the list. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { figures } from '../../kit/figures.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { useLack } from '../../kit/permission.ts';
import type { Column } from '../../kit/table.tsx';
import { paths } from '../../routes/paths.ts';
import { COUNTS_POLL_MS, sumOf, type VenueCounts } from './venue-counts.tsx';
import { VenueDetail } from './venue-detail.tsx';

const VenueTextDialog = lazy(async () => ({
  default: (await import('./venue-dialogs.tsx')).VenueTextDialog,
}));

type Venue = RowOf<'venues'>;

const FILTERS = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.venues_state(),
    kind: 'choice',
    options: [
      { value: 'open', label: m.venues_open() },
      { value: 'archived', label: m.venues_archived() },
    ],
  },
];

const columns = (counts: VenueCounts | undefined): readonly Column<Venue>[] => {
  const of = (id: number) => counts?.items.filter(({ venueId }) => venueId === id) ?? [];
  return [
    {
      id: 'name',
      title: m.venues_name(),
      cell: ({ name, archivedAt }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
          {name}
          {archivedAt !== null && <Badge>{m.venues_archived()}</Badge>}
        </span>
      ),
    },
    { id: 'address', title: m.venues_address(), cell: ({ address }) => address, from: 'large' },
    {
      id: 'staff',
      title: m.venues_staff(),
      cell: ({ staffCount }) => <span className="tabular">{staffCount}</span>,
      align: 'end',
      from: 'medium',
    },
    {
      id: 'hour',
      title: m.venues_redeemed_hour(),
      cell: ({ id }) => (
        <span className="tabular">{figures(sumOf(of(id), 'hour').redeemedItems)}</span>
      ),
      align: 'end',
      from: 'medium',
    },
    {
      id: 'day',
      title: m.venues_redeemed_day(),
      cell: ({ id }) => (
        <span className="tabular">{figures(sumOf(of(id), 'day').redeemedItems)}</span>
      ),
      align: 'end',
    },
    {
      id: 'refused',
      title: m.venues_refused_day(),
      cell: ({ id }) => (
        <span className="tabular">
          {
            sumOf(
              of(id).filter(({ outcome }) => outcome !== 'ok'),
              'day',
            ).attempts
          }
        </span>
      ),
      align: 'end',
      from: 'medium',
    },
  ];
};

export function VenuesScreen() {
  const { id } = useParams();
  const navigate = useNavigate();
  const lack = useLack();
  const [isAdding, setIsAdding] = useState(false);
  const filters = FILTERS();
  const view = useListView(filters);
  const list = useAdminList('venues', view.query);
  const { item: counts } = useAdminItem('venueCounts', {}, { pollMs: () => COUNTS_POLL_MS });
  return (
    <ListDetail
      list={
        <>
          <ListPage
            title={m.venues_title()}
            list={list}
            view={view}
            filters={filters}
            columns={columns(counts)}
            keyOf={(venue) => String(venue.id)}
            pathOf={(venue) => paths.venue(venue.id)}
            openKey={id}
            path={paths.venues}
            emptyText={m.venues_empty()}
            actions={
              <Button
                isDense
                icon={<Plus size={16} aria-hidden />}
                disabledReason={lack('venues.edit')}
                onClick={() => setIsAdding(true)}
              >
                {m.venues_add()}
              </Button>
            }
          />
          {isAdding && (
            <Suspense fallback={null}>
              <VenueTextDialog
                venue={undefined}
                onClose={(added) => {
                  setIsAdding(false);
                  if (added !== undefined) void navigate(paths.venue(added));
                }}
              />
            </Suspense>
          )}
        </>
      }
      detail={id === undefined ? undefined : <VenueDetail key={id} id={id} />}
    />
  );
}
