import { isNetworkLost } from '@athos/app-core/network';
import { m } from '@athos/messages/messages';
import { useValue } from '@athos/app-core/value';
import WifiOff from 'lucide-react/icons/wifi-off';
import { offlineStatus } from '../../state/offline-status.ts';

/** Shown on every screen while the server is unreachable. Always rendered, so that screen readers announce the change. */
export function OfflineBanner() {
  const isLost = useValue(isNetworkLost);
  const canRedeem = useValue(offlineStatus)?.allowance !== undefined;
  return (
    <div role="status" className="bg-card-from text-card-ink safe-inline sticky top-0 z-30">
      {isLost && (
        <p className="text-body flex items-center justify-center gap-2 px-4 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2 text-center">
          <WifiOff size={20} aria-hidden className="shrink-0" />
          <span>
            <strong className="font-bold">{m.scanner_app_offline_title()}.</strong>{' '}
            {canRedeem ? m.scanner_offline_banner() : m.scanner_app_offline()}
          </span>
        </p>
      )}
    </div>
  );
}
