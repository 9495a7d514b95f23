import { queryClient } from '@athos/app-core/query-client';
import { Splash } from '@athos/ui/layout/splash';
import { refreshToken } from '@athos/app-core/refresh';
import { registerServiceWorker } from '@athos/app-core/service-worker';
import { keepTokenFresh } from '@athos/app-core/token-freshness';
import { useValue } from '@athos/app-core/value';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { client } from '../api/http.ts';
import { startOffline } from '../api/offline-keeper.ts';
import { venuesQuery, type VenueOfStaff } from '../api/venues.ts';
import { ScanScreen } from '../features/scan/scan-screen.tsx';
import { TodayScreen } from '../features/scan/today-screen.tsx';
import { VenueScreen } from '../features/venue/venue-screen.tsx';
import { session } from '../state/session.ts';
import { chooseVenue, forgetVenue, venueOf, type Venue } from '../state/venue.ts';
import { paths } from './paths.ts';

/** Matches `shells.ts` of packages/app-build. When the app is started from a home screen, its address has no trailing slash. */
const WORKER = {
  url: '/scanner/sw.js',
  scope: '/scanner',
  page: '/scanner',
  cachePrefix: 'scanner-shell-',
};

/** Wraps every screen for staff, for one signed-in account. */
export function StaffRoutes({ userUuid }: { userUuid: string }) {
  useEffect(() => {
    const use = { session, client };
    const stopFreshness = keepTokenFresh(use, refreshToken(use));
    return () => {
      stopFreshness();
      // The next account must not see this one's data.
      queryClient.clear();
    };
  }, []);
  useEffect(() => void registerServiceWorker(WORKER), []);
  return (
    <QueryClientProvider client={queryClient}>
      <VenueGate userUuid={userUuid} />
    </QueryClientProvider>
  );
}

/** Checks the remembered venue against the account's venues. */
function settleVenue(
  current: Venue | undefined,
  venues: readonly VenueOfStaff[],
  userUuid: string,
): void {
  const known = venues.find(({ id }) => id === current?.id);
  const [only] = venues;
  // Staff of a single venue have no choice. A venue that was taken away is forgotten.
  if (venues.length === 1 && only !== undefined) chooseVenue(userUuid, only);
  else if (known === undefined) forgetVenue(userUuid);
}

function VenueGate({ userUuid }: { userUuid: string }) {
  const current = useValue(venueOf(userUuid));
  const venueId = current?.id;
  useEffect(
    () => (venueId === undefined ? undefined : startOffline({ staffUuid: userUuid, venueId })),
    [userUuid, venueId],
  );
  const { data: venues, isFetched } = useQuery(venuesQuery);
  useEffect(() => {
    if (venues !== undefined) settleVenue(venueOf(userUuid).get(), venues, userUuid);
  }, [venues, userUuid]);

  // Only for the first attempt. The venue screen shows the progress of later ones.
  if (current === undefined && !isFetched) return <Splash />;
  if (current === undefined && venues?.length === 1) return null;
  const isChoosable = (venues?.length ?? 0) > 1;
  // Until the list is loaded, everyone may choose.
  const hasVenueScreen = current === undefined || venues === undefined || isChoosable;
  return (
    <Routes>
      {hasVenueScreen && <Route path={paths.venue} element={<VenueScreen userUuid={userUuid} />} />}
      {current === undefined ? (
        <Route path="*" element={<Navigate to={paths.venue} replace />} />
      ) : (
        <>
          <Route
            index
            element={
              <ScanScreen
                key={current.id}
                userUuid={userUuid}
                venue={current}
                isVenueChoosable={isChoosable}
              />
            }
          />
          <Route
            path={paths.today}
            element={<TodayScreen venue={current} isVenueChoosable={isChoosable} />}
          />
          <Route path="*" element={<Navigate to={paths.scan} replace />} />
        </>
      )}
    </Routes>
  );
}
