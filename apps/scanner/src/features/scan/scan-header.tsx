import { isNetworkLost } from '@athos/app-core/network';
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Link } from '@athos/ui/primitives/link';
import ListChecks from 'lucide-react/icons/list-checks';
import MapPin from 'lucide-react/icons/map-pin';
import { paths } from '../../routes/paths.ts';
import { isShiftOn, offlineStatus } from '../../state/offline-status.ts';
import { countsOf } from '../../state/recent-scans.ts';
import type { Venue } from '../../state/venue.ts';
import { useScansOfToday } from './use-scans-of-today.ts';

interface ScanHeaderProps {
  venue: Venue;
  isVenueChoosable: boolean;
}

const placeClass =
  'rounded-pill bg-surface inset-ring inset-ring-line target flex min-w-0 items-center gap-2 px-4 py-2.5 font-semibold';

/** The venue of this device, and the links to change it and to see today's scans. */
export function ScanHeader({ venue, isVenueChoosable }: ScanHeaderProps) {
  const { redeemedItems: count } = countsOf(useScansOfToday());
  const place = (
    <>
      <MapPin size={20} aria-hidden className="text-accent-text shrink-0" />
      <span className="min-w-0 wrap-anywhere">{venue.name}</span>
    </>
  );
  return (
    <header className="flex flex-wrap items-center justify-between gap-3 landscape:max-rail:flex-col landscape:max-rail:items-stretch landscape:max-rail:justify-start">
      <h1 className="sr-only">{m.scanner_app_scan_title()}</h1>
      {isVenueChoosable ? (
        <Link
          to={paths.venue}
          aria-label={m.scanner_app_venue_change({ venue: venue.name })}
          className={`${placeClass} hover:bg-sunken`}
        >
          {place}
        </Link>
      ) : (
        <p className={placeClass}>
          <span className="sr-only">{m.scanner_app_scanning_at()}</span>
          {place}
        </p>
      )}
      <Link
        to={paths.today}
        aria-label={m.scanner_app_today_link({ count })}
        className={`${placeClass} hover:bg-sunken shrink-0`}
      >
        <ListChecks size={20} aria-hidden className="text-accent-text shrink-0" />
        <span className="tabular">{count}</span>
      </Link>
      <OfflineLine />
    </header>
  );
}

/** The number of items that can still be redeemed while there is no network. */
function OfflineLine() {
  const isLost = useValue(isNetworkLost);
  const isOn = useValue(isShiftOn);
  const allowance = useValue(offlineStatus)?.allowance;
  if (allowance === undefined || !(isLost || isOn)) return null;
  return (
    <p className="text-body tabular basis-full font-semibold">
      {m.scanner_offline_left({ left: allowance.left, max: allowance.max })}
    </p>
  );
}
