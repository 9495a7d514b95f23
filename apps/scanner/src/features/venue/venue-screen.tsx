import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { List, ListRow, RowIcon } from '@athos/ui/primitives/list-row';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useValue } from '@athos/app-core/value';
import { useQuery } from '@tanstack/react-query';
import MapPin from 'lucide-react/icons/map-pin';
import { useNavigate } from 'react-router';
import { signOut } from '../../api/session.ts';
import { venuesQuery } from '../../api/venues.ts';
import { paths } from '../../routes/paths.ts';
import { chooseVenue, venueOf, type Venue } from '../../state/venue.ts';

/** Chooses the venue of this device, which is remembered until it is changed here. */
export function VenueScreen({ userUuid }: { userUuid: string }) {
  const current = useValue(venueOf(userUuid));
  const navigate = useNavigate();

  function handleChoose(chosen: Venue): void {
    chooseVenue(userUuid, chosen);
    void navigate(paths.scan, { replace: true });
  }

  return (
    <Screen
      title={m.scanner_app_venue_title()}
      width="form"
      {...(current !== undefined && { backTo: paths.scan })}
    >
      <p className="text-body text-ink-quiet text-pretty">{m.scanner_app_venue_lead()}</p>
      <Venues current={current} onChoose={handleChoose} />
      <Button variant="plain" onClick={signOut}>
        {m.scanner_app_sign_out()}
      </Button>
    </Screen>
  );
}

interface VenuesProps {
  current: Venue | undefined;
  onChoose: (venue: Venue) => void;
}

function Venues({ current, onChoose }: VenuesProps) {
  const { data: venues, isFetching, refetch } = useQuery(venuesQuery);
  const retry = (
    <Button variant="quiet" isPending={isFetching} onClick={() => void refetch()}>
      {m.common_try_again()}
    </Button>
  );
  if (venues === undefined) {
    if (isFetching) return <SkeletonRows count={2} />;
    return (
      <Notice kind="danger" title={m.scanner_app_venue_failed_title()} action={retry}>
        {m.scanner_app_venue_failed()}
      </Notice>
    );
  }
  if (venues.length === 0) {
    return (
      <EmptyState
        icon={<MapPin size={28} />}
        title={m.scanner_app_venue_none_title()}
        text={m.scanner_app_venue_none()}
        action={retry}
      />
    );
  }
  return (
    <List label={m.scanner_app_venue_list()}>
      {venues.map((known) => (
        <ListRow
          key={known.id}
          title={known.name}
          subtitle={known.address}
          leading={
            <RowIcon>
              <MapPin size={20} />
            </RowIcon>
          }
          {...(known.id === current?.id && {
            trailingSubtitle: m.scanner_app_venue_current(),
            trailing: '',
          })}
          isSelected={known.id === current?.id}
          onPress={() => onChoose(known)}
        />
      ))}
    </List>
  );
}
