import { isNetworkLost } from '@athos/app-core/network';
import { m } from '@athos/messages/messages';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useValue } from '@athos/app-core/value';
import { isCodeShown, isReadingOffline } from '../../state/network.ts';

/** Replaces the reconnect modal while the user reads offline data or shows a valid code. */
export function OfflineBar() {
  const isLost = useValue(isNetworkLost);
  const isReading = useValue(isReadingOffline);
  const isCodeVisible = useValue(isCodeShown);
  if (!isReading && !(isLost && isCodeVisible)) return null;
  return (
    <div
      role="status"
      className="bg-info-surface border-line safe-inline sticky top-0 z-20 border-b @max-[16rem]/shell:static pt-[env(safe-area-inset-top)]"
    >
      <div className="max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto flex items-center gap-3 px-4 py-2.5">
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
