import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { QrScanner } from '@athos/ui/qr/qr-scanner';
import { useValue } from '@athos/app-core/value';
import { useEffect, useState } from 'react';
import type { Venue } from '../../state/venue.ts';
import { announcement } from './announcement.ts';
import { Desk } from './desk.ts';
import { ItemsPanel } from './items-panel.tsx';
import { OfflineQuestion, OfflineRefused, OfflineResult } from './offline-panels.tsx';
import { LostPanel, RefusedPanel } from './refused-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { ScanHeader } from './scan-header.tsx';
import { TierPanel } from './tier-panel.tsx';
import { TodayPanel } from './today-panel.tsx';
import { ReadingPanel, RedeemingPanel } from './waiting-panels.tsx';

interface ScanScreenProps {
  userUuid: string;
  venue: Venue;
  isVenueChoosable: boolean;
}

/** The main screen of a shift: camera, items of the code, result, and the camera again. */
export function ScanScreen({ userUuid, venue, isVenueChoosable }: ScanScreenProps) {
  const [desk] = useState(() => new Desk(userUuid, venue));
  useEffect(() => desk.start(), [desk]);
  const state = useValue(desk.state);
  const isCamera = state.phase === 'ready';
  return (
    <>
      <title>{`${m.scanner_app_scan_title()} · ${brand.name}`}</title>
      <div className="safe-inline rail:grid rail:max-w-[68rem] rail:grid-cols-[minmax(0,1fr)_22rem] rail:gap-10 rail:py-8 mx-auto min-h-dvh w-full">
        <main
          id="content"
          className="max-w-column landscape:max-rail:max-w-none landscape:max-rail:grid landscape:max-rail:grid-cols-[10rem_minmax(0,1fr)] mx-auto flex min-h-dvh w-full flex-col gap-4 px-4 pt-[max(0.75rem,env(safe-area-inset-top))] rail:min-h-0"
        >
          <ScanHeader venue={venue} isVenueChoosable={isVenueChoosable} />
          <p aria-live="assertive" className="sr-only">
            {announcement(state)}
          </p>
          {/* Kept mounted behind a panel, with the camera off, so that the next scan starts at once. */}
          <div hidden={!isCamera} className="rail:pt-4 pb-6">
            <QrScanner isTitleHidden isPaused={!isCamera} onDecoded={desk.read} />
          </div>
          <DeskPanel desk={desk} isVenueChoosable={isVenueChoosable} />
        </main>
        <aside aria-labelledby="today" className="rail:flex hidden flex-col gap-5 pt-3">
          <h2 id="today" className="font-display text-title font-bold">
            {m.scanner_app_today_title()}
          </h2>
          <TodayPanel />
        </aside>
      </div>
    </>
  );
}

function DeskPanel({ desk, isVenueChoosable }: { desk: Desk; isVenueChoosable: boolean }) {
  const state = useValue(desk.state);
  switch (state.phase) {
    case 'ready':
      return null;
    case 'reading':
      return <ReadingPanel onCancel={desk.next} />;
    case 'lost':
      return <LostPanel isOver={state.isOver} onAgain={desk.readAgain} onNext={desk.next} />;
    case 'refused':
      return (
        <RefusedPanel
          code={state.code}
          notice={state.notice}
          isVenueChoosable={isVenueChoosable}
          onNext={desk.next}
        />
      );
    case 'items':
      return (
        <ItemsPanel
          scan={state.scan}
          isOffline={state.isOffline}
          onRedeem={desk.redeem}
          onNext={desk.next}
        />
      );
    case 'tier':
      return <TierPanel scan={state.scan} onNext={desk.next} />;
    case 'redeeming':
      return (
        <RedeemingPanel
          itemCount={state.intent.content.itemIds.length}
          isRepeat={state.intent.isRepeat}
          isAsking={state.isAsking}
          onAskAgain={desk.askAgain}
          onSetAside={desk.next}
        />
      );
    case 'result':
      return <ResultPanel redemption={state.redemption} onNext={desk.next} />;
    case 'offline_question':
      return <OfflineQuestion onRedeem={desk.redeemAlone} onWait={desk.wait} />;
    case 'offline_noting':
      return null;
    case 'offline_refused':
      return <OfflineRefused refusal={state.refusal} onNext={desk.next} />;
    case 'offline_result':
      return <OfflineResult items={state.items} onNext={desk.next} />;
  }
}
