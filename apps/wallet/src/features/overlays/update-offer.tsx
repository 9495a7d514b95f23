import { isNetworkLost } from '@athos/app-core/network';
import { isUpdateReady, loadUpdate } from '@athos/app-core/service-worker';
import { isMovingValue } from '@athos/client/outcome';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useValue } from '@athos/app-core/value';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../../routes/paths.ts';
import { isHeld } from '../../state/idle.ts';

/** Screens where a reload interrupts nothing. On all others the offer waits. */
const QUIET_PATHS: readonly string[] = [
  paths.home,
  paths.myPurchases,
  paths.history,
  paths.settings,
];
const isQuiet = (pathname: string): boolean =>
  QUIET_PATHS.includes(pathname) ||
  /^\/app\/(?:history\/[^/]+|marketplace\/categories\/\d+)$/.test(pathname);

const CHECK_EVERY_MS = 1000;

/** A payment, send or purchase may be pending although its screen was left. */
const isBusy = (): boolean => isMovingValue() || isHeld();

/** Offers a new build once, on a screen where it interrupts nothing. */
export function UpdateOffer() {
  const isReady = useValue(isUpdateReady);
  return isReady ? <Offer /> : null;
}

function Offer() {
  const { pathname } = useLocation();
  const isLost = useValue(isNetworkLost);
  const [wasPutOff, setWasPutOff] = useState(false);
  const [isFree, setIsFree] = useState(() => !isBusy());
  useEffect(() => {
    const timer = setInterval(() => setIsFree(!isBusy()), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (wasPutOff || isLost || !isFree || !isQuiet(pathname)) return null;
  return (
    <div
      role="status"
      className="@rail/shell:bottom-6 @rail/shell:pl-56 pointer-events-none fixed inset-x-0 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-30 flex justify-center px-3"
    >
      <div className="bg-raised shadow-raised rounded-medium inset-ring-line animate-enter max-w-toast pointer-events-auto flex w-full flex-wrap items-center justify-end gap-2 p-3 inset-ring">
        <p className="grow px-1 font-semibold">{m.shell_new_version()}</p>
        <div className="flex flex-wrap gap-2">
          <Button variant="plain" isCompact onClick={() => setWasPutOff(true)}>
            {m.shell_new_version_later()}
          </Button>
          <Button isCompact onClick={() => void loadUpdate()}>
            {m.shell_new_version_load()}
          </Button>
        </div>
      </div>
    </div>
  );
}
