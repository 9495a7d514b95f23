import type { Addresses } from '../system/start-system.ts';
import { authStates } from './auth-states.ts';
import { buyStates } from './buy-states.ts';
import { accountStates, historyStates, homeStates, overlayStates } from './home-states.ts';
import { cartStates, marketplaceStates } from './marketplace-states.ts';
import { pageViewStates } from './page-view-states.ts';
import { purchaseStates, tierStates } from './purchase-states.ts';
import { rewardStates } from './reward-states.ts';
import { scannerStates } from './scanner-states.ts';
import { sendStates } from './send-states.ts';
import type { State } from './state.ts';

/** Every screen in every state that looks different. */
export const allStates = (addresses: Addresses): readonly State[] => [
  ...authStates,
  ...homeStates,
  ...marketplaceStates,
  ...cartStates,
  ...buyStates(addresses),
  ...sendStates,
  ...historyStates,
  ...purchaseStates,
  ...tierStates,
  ...accountStates,
  ...rewardStates,
  ...pageViewStates,
  ...overlayStates,
  ...scannerStates,
];

/** The first state of every screen: what the tests look at each time; `npm run axe` looks at all. */
export function mainStates(addresses: Addresses): readonly State[] {
  const seen = new Set<string>();
  return allStates(addresses).filter(({ path, isVisitor }) => {
    const screen = `${isVisitor ?? false} ${path.split('?')[0]}`;
    if (seen.has(screen)) return false;
    seen.add(screen);
    return true;
  });
}
