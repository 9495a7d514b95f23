/** While a QR code is shown it is to be read from the screen: the user is not away, and the screen stays lit. */
import { device } from '@athos/ui/device';
import { holdActivity, whileVisible } from './idle.ts';

/** Decisions "Sessions": a displayed QR counts as activity. Ends with the returned function. */
export function holdShownCode(): () => void {
  const ends = [holdActivity(whileVisible), device().lightScreen()];
  return () => {
    for (const end of ends) end();
  };
}
