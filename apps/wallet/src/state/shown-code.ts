/** While a QR code is displayed for scanning, the user does not count as inactive, and the screen stays on. */
import { device } from '@athos/ui/theme/device';
import { useLayoutEffect } from 'react';
import { holdActivity, whileVisible } from './idle.ts';
import { isCodeShown } from './network.ts';

/** Counts as activity (D-181) until the returned function is called. */
export function holdShownCode(): () => void {
  const ends = [holdActivity(whileVisible), device().lightScreen()];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * For the element that shows a code. `isReadable`: it contains a code that can be scanned. Layout effects end together with their element.
 * Passive ones end after the next screen is drawn, and would count that moment as activity.
 */
export function useShownCode(isReadable: boolean): void {
  useLayoutEffect(() => holdShownCode(), []);
  useLayoutEffect(() => {
    if (!isReadable) return undefined;
    isCodeShown.set(true);
    return () => isCodeShown.set(false);
  }, [isReadable]);
}
