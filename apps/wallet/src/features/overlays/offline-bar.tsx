import { m } from '@athos/messages/messages';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useValue } from '@athos/app-core/value';
import { isCodeShown, isNetworkLost, isReadingOffline } from '../../state/network.ts';

/** In the place of the modal, while what was last known is read or a code can still be scanned: says so above every screen. */
export function OfflineBar() {
  const isLost = useValue(isNetworkLost);
  const isReading = useValue(isReadingOffline);
  const isCodeVisible = useValue(isCodeShown);
  if (!isReading && !(isLost && isCodeVisible)) return null;
  // The screen below is as much lower, so that its button stays in sight.
  return (
    <div
      role="status"
      className="bg-info-surface border-line safe-inline rail:[&~main]:min-h-[calc(100dvh-4rem)]! sticky top-0 z-20 border-b pt-[env(safe-area-inset-top)] [&~main]:min-h-[calc(100dvh-9.25rem)]!"
    >
      <div className="max-w-column mx-auto flex items-center gap-3 px-4 py-2.5">
        <span className="text-info shrink-0">
          <Spinner />
        </span>
        <p className="text-caption text-pretty">
          <strong className="text-body text-info block font-semibold">
            {m.shell_reconnect_title()}
          </strong>
          {isReading ? m.shell_reconnect_reading() : m.shell_reconnect_code()}
        </p>
      </div>
    </div>
  );
}
