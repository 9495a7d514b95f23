/** The door of merchants: sellers with an account of their own, and their settlements. */
import type { Capability } from '../../capability.ts';
import { registerMerchantConsole, type MerchantConsoleDeps } from './merchants.console.routes.ts';
import { settleAction } from './settle.ts';
import type {} from './tables.ts';

export { selectMerchant, selectMerchantChoices, shareMerchant } from './merchants.sql.ts';

export const merchants = {
  registerConsoleRoutes: registerMerchantConsole,
  actions: [settleAction],
} satisfies Capability<MerchantConsoleDeps>;
