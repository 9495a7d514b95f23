import type { Handlers } from '../fake-api.ts';
import { authStates } from './auth.ts';
import { buyStates } from './buy.ts';
import { campaignStates } from './console-campaigns.ts';
import { consoleStates } from './console.ts';
import { approvalStates } from './console-approvals.ts';
import { consoleCatalogueStates } from './console-catalogue.ts';
import { customerStates } from './console-customers.ts';
import { exportStates } from './console-exports.ts';
import { disputeStates } from './console-disputes.ts';
import { dashboardStates } from './console-dashboard.ts';
import { ledgerStates } from './console-ledger.ts';
import { consoleImportStates } from './console-imports.ts';
import { consoleMerchantStates } from './console-merchants.ts';
import { consolePictureStates } from './console-pictures.ts';
import { consolePurchaseStates } from './console-purchases.ts';
import { consoleHealthStates } from './console-health.ts';
import { staffStates } from './console-staff.ts';
import { consoleVenueStates } from './console-venues.ts';
import { reconciliationStates } from './console-reconciliation.ts';
import { consoleTierStates } from './console-tiers.ts';
import { rateStates } from './console-rate.ts';
import { brakeStates } from './console-brakes.ts';
import { programmeSettingStates } from './console-settings.ts';
import { legalStates } from './console-legal.ts';
import { paymentStates } from './console-payments.ts';
import { historyStates } from './history.ts';
import { statementStates } from './statements.ts';
import { homeStates } from './home.ts';
import { marketplaceStates } from './marketplace.ts';
import { overlayStates } from './overlays.ts';
import { purchaseStates } from './purchases.ts';
import { rewardStates } from './rewards.ts';
import { scannerStates } from './scanner.ts';
import { scannerOfflineStates } from './scanner-offline.ts';
import type { ScreenState } from './screen-state.ts';
import { securityStates } from './security.ts';
import { sendStates } from './send.ts';
import { summaryStates } from './send-summary.ts';
import { profileStates } from './profile.ts';
import { settingsStates } from './settings.ts';

/**
 * Every screen of the apps in every visually distinct state. `npm run axe` audits them and `npm run screens` takes
 * their screenshots. `createPaymentIntent` creates a payment at the wallet's configured card provider.
 */
export const allStates = (
  createPaymentIntent: Handlers['createPaymentIntent'],
): readonly ScreenState[] => [
  ...authStates,
  ...homeStates,
  ...marketplaceStates,
  ...buyStates(createPaymentIntent),
  ...sendStates,
  ...summaryStates,
  ...historyStates,
  ...statementStates,
  ...purchaseStates,
  ...profileStates,
  ...settingsStates,
  ...securityStates,
  ...rewardStates,
  ...overlayStates,
  ...scannerStates,
  ...scannerOfflineStates,
  ...consoleStates,
  ...staffStates,
  ...approvalStates,
  ...customerStates,
  ...exportStates,
  ...campaignStates,
  ...disputeStates,
  ...dashboardStates,
  ...ledgerStates,
  ...reconciliationStates,
  ...consoleMerchantStates,
  ...consoleImportStates,
  ...consolePictureStates,
  ...consolePurchaseStates,
  ...consoleVenueStates,
  ...consoleTierStates,
  ...consoleCatalogueStates,
  ...consoleHealthStates,
  ...paymentStates,
  ...rateStates,
  ...brakeStates,
  ...programmeSettingStates,
  ...legalStates,
];
