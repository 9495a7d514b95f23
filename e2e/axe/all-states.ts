import type { Addresses } from '../system/start-system.ts';
import { authStates } from './auth-states.ts';
import { buyStates } from './buy-states.ts';
import { accountStates, historyStates, homeStates, overlayStates } from './home-states.ts';
import { purchaseStates, tierStates } from './purchase-states.ts';
import type { State } from './state.ts';
import { sendStates } from './send-states.ts';

/** Every screen in every state that looks different. */
export const allStates = (addresses: Addresses): readonly State[] => [
  ...authStates,
  ...homeStates,
  ...buyStates(addresses),
  ...sendStates,
  ...historyStates,
  ...purchaseStates,
  ...tierStates,
  ...accountStates,
  ...overlayStates,
];
