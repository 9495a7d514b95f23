/** While a QR code is shown it is to be read from the screen: the user is not away, and the screen stays lit. */
import { device } from '@athos/ui/theme/device';
import { useEffect } from 'react';
import { holdActivity, whileVisible } from './idle.ts';
import { isCodeShown } from './network.ts';

/** Decisions "Sessions": a displayed QR counts as activity. Ends with the returned function. */
export function holdShownCode(): () => void {
  const ends = [holdActivity(whileVisible), device().lightScreen()];
  return () => {
    for (const end of ends) end();
  };
}

/** For the place of a code; `isReadable` while there is one in it that can be scanned. */
export function useShownCode(isReadable: boolean): void {
  useEffect(() => holdShownCode(), []);
  useEffect(() => {
    if (!isReadable) return undefined;
    isCodeShown.set(true);
    return () => isCodeShown.set(false);
  }, [isReadable]);
}
