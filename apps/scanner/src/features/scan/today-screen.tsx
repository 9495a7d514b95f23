import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { DetailList } from '@athos/ui/primitives/card';
import { Screen } from '@athos/ui/layout/screen';
import LogOut from 'lucide-react/icons/log-out';
import ScanLine from 'lucide-react/icons/scan-line';
import Smartphone from 'lucide-react/icons/smartphone';
import { lazy, Suspense, useState } from 'react';
import { signOut } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import type { Venue } from '../../state/venue.ts';
import { OfflineLogSection } from './offline-log-section.tsx';
import { TodayPanel } from './today-panel.tsx';

const EnrolDialog = lazy(async () => ({
  default: (await import('./enrol-dialog.tsx')).EnrolDialog,
}));

interface TodayScreenProps {
  venue: Venue;
  isVenueChoosable: boolean;
}

/** The shift so far, its venue, the name of the device, and the sign-out. */
export function TodayScreen({ venue, isVenueChoosable }: TodayScreenProps) {
  return (
    <Screen
      title={m.scanner_app_today_title()}
      backTo={paths.scan}
      action={
        <ButtonLink to={paths.scan} isWide icon={<ScanLine size={20} aria-hidden />}>
          {m.scanner_app_back_to_camera()}
        </ButtonLink>
      }
    >
      <OfflineLogSection />
      <TodayPanel />
      <section className="flex flex-col gap-3">
        <DetailList details={[{ label: m.scanner_app_venue_label(), value: venue.name }]} />
        {isVenueChoosable && (
          <ButtonLink to={paths.venue} variant="quiet" isWide>
            {m.scanner_app_choose_venue()}
          </ButtonLink>
        )}
        <EnrolButton />
        <Button
          variant="quiet"
          isWide
          icon={<LogOut size={20} aria-hidden />}
          onClick={signOut}
          aria-describedby="sign-out-note"
        >
          {m.scanner_app_sign_out()}
        </Button>
        <p id="sign-out-note" className="text-caption text-ink-quiet text-center">
          {m.scanner_app_signed_in_note()}
        </p>
      </section>
    </Screen>
  );
}

/** Placed here and not on the venue screen, which staff of a single venue never see. */
function EnrolButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        isWide
        icon={<Smartphone size={20} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {m.scanner_app_enrol()}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <EnrolDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
