/** Every screen with its path and the permission that opens it. Each is loaded when it is opened first. */
import type { Permission } from '@athos/contract/console/permissions';
import { lazy, type ReactNode } from 'react';
import { Navigate } from 'react-router';
import { paths } from './paths.ts';

const AuditScreen = lazy(async () => ({
  default: (await import('../features/audit/audit-screen.tsx')).AuditScreen,
}));
const PaymentsScreen = lazy(async () => ({
  default: (await import('../features/payments/payments-screen.tsx')).PaymentsScreen,
}));
const PaymentScreen = lazy(async () => ({
  default: (await import('../features/payments/payment-screen.tsx')).PaymentScreen,
}));
const RefundsScreen = lazy(async () => ({
  default: (await import('../features/payments/refunds-screen.tsx')).RefundsScreen,
}));
const ApprovalsScreen = lazy(async () => ({
  default: (await import('../features/approvals/approvals-screen.tsx')).ApprovalsScreen,
}));
const CustomersScreen = lazy(async () => ({
  default: (await import('../features/customers/customers-screen.tsx')).CustomersScreen,
}));
const CustomerScreen = lazy(async () => ({
  default: (await import('../features/customers/customer-screen.tsx')).CustomerScreen,
}));
const PurchasesScreen = lazy(async () => ({
  default: (await import('../features/purchases/purchases-screen.tsx')).PurchasesScreen,
}));
const CategoriesScreen = lazy(async () => ({
  default: (await import('../features/catalogue/categories-screen.tsx')).CategoriesScreen,
}));
const OffersScreen = lazy(async () => ({
  default: (await import('../features/catalogue/offers-screen.tsx')).OffersScreen,
}));
const NewOfferScreen = lazy(async () => ({
  default: (await import('../features/catalogue/offer-screen.tsx')).NewOfferScreen,
}));
const ImportScreen = lazy(async () => ({
  default: (await import('../features/catalogue/import-screen.tsx')).ImportScreen,
}));
const OfferScreen = lazy(async () => ({
  default: (await import('../features/catalogue/offer-screen.tsx')).OfferScreen,
}));
const MerchantsScreen = lazy(async () => ({
  default: (await import('../features/merchants/merchants-screen.tsx')).MerchantsScreen,
}));
const MerchantScreen = lazy(async () => ({
  default: (await import('../features/merchants/merchant-screen.tsx')).MerchantScreen,
}));
const RedemptionsScreen = lazy(async () => ({
  default: (await import('../features/redemptions/redemptions-screen.tsx')).RedemptionsScreen,
}));
const ConflictsScreen = lazy(async () => ({
  default: (await import('../features/conflicts/conflicts-screen.tsx')).ConflictsScreen,
}));
const VenuesScreen = lazy(async () => ({
  default: (await import('../features/venues/venues-screen.tsx')).VenuesScreen,
}));
const ScannersScreen = lazy(async () => ({
  default: (await import('../features/scanners/scanners-screen.tsx')).ScannersScreen,
}));
const JobsScreen = lazy(async () => ({
  default: (await import('../features/jobs/jobs-screen.tsx')).JobsScreen,
}));
const MailsScreen = lazy(async () => ({
  default: (await import('../features/jobs/mails-screen.tsx')).MailsScreen,
}));
const SystemScreen = lazy(async () => ({
  default: (await import('../features/system/system-screen.tsx')).SystemScreen,
}));
const ScansScreen = lazy(async () => ({
  default: (await import('../features/scans/scans-screen.tsx')).ScansScreen,
}));
const DisputesScreen = lazy(async () => ({
  default: (await import('../features/disputes/disputes-screen.tsx')).DisputesScreen,
}));
const DisputeScreen = lazy(async () => ({
  default: (await import('../features/disputes/dispute-screen.tsx')).DisputeScreen,
}));
const DebtsScreen = lazy(async () => ({
  default: (await import('../features/disputes/debts-screen.tsx')).DebtsScreen,
}));
const WarningsScreen = lazy(async () => ({
  default: (await import('../features/disputes/warnings-screen.tsx')).WarningsScreen,
}));
const DaysScreen = lazy(async () => ({
  default: (await import('../features/reconciliation/days-screen.tsx')).DaysScreen,
}));
const UnmatchedScreen = lazy(async () => ({
  default: (await import('../features/reconciliation/unmatched-screen.tsx')).UnmatchedScreen,
}));
const TransactionsScreen = lazy(async () => ({
  default: (await import('../features/reconciliation/transactions-screen.tsx')).TransactionsScreen,
}));
const BookingScreen = lazy(async () => ({
  default: (await import('../features/reconciliation/booking-detail.tsx')).BookingScreen,
}));
const CampaignsScreen = lazy(async () => ({
  default: (await import('../features/campaigns/campaigns-screen.tsx')).CampaignsScreen,
}));
const CampaignScreen = lazy(async () => ({
  default: (await import('../features/campaigns/campaign-screen.tsx')).CampaignScreen,
}));
const CodesScreen = lazy(async () => ({
  default: (await import('../features/codes/codes-screen.tsx')).CodesScreen,
}));
const BulkRunsScreen = lazy(async () => ({
  default: (await import('../features/customers/bulk-runs-screen.tsx')).BulkRunsScreen,
}));
const BulkScreen = lazy(async () => ({
  default: (await import('../features/customers/bulk-screen.tsx')).BulkScreen,
}));
const AuditVerificationScreen = lazy(async () => ({
  default: (await import('../features/audit/audit-verification-screen.tsx'))
    .AuditVerificationScreen,
}));
const LedgerAccountsScreen = lazy(async () => ({
  default: (await import('../features/ledger/accounts-screen.tsx')).LedgerAccountsScreen,
}));
const LedgerAccountScreen = lazy(async () => ({
  default: (await import('../features/ledger/account-screen.tsx')).LedgerAccountScreen,
}));
const JournalScreen = lazy(async () => ({
  default: (await import('../features/ledger/journal-screen.tsx')).JournalScreen,
}));
const TrialBalanceScreen = lazy(async () => ({
  default: (await import('../features/ledger/trial-balance-screen.tsx')).TrialBalanceScreen,
}));
const ChainScreen = lazy(async () => ({
  default: (await import('../features/ledger/chain-screen.tsx')).ChainScreen,
}));
const ExportsScreen = lazy(async () => ({
  default: (await import('../features/exports/exports-screen.tsx')).ExportsScreen,
}));
const RateScreen = lazy(async () => ({
  default: (await import('../features/rate/rate-screen.tsx')).RateScreen,
}));
const BrakesScreen = lazy(async () => ({
  default: (await import('../features/brakes/brakes-screen.tsx')).BrakesScreen,
}));
const SettingsScreen = lazy(async () => ({
  default: (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
}));
const LegalScreen = lazy(async () => ({
  default: (await import('../features/legal/legal-screen.tsx')).LegalScreen,
}));
const LegalVersionScreen = lazy(async () => ({
  default: (await import('../features/legal/legal-version-screen.tsx')).LegalVersionScreen,
}));
const PicturesScreen = lazy(async () => ({
  default: (await import('../features/pictures/pictures-screen.tsx')).PicturesScreen,
}));
const TiersScreen = lazy(async () => ({
  default: (await import('../features/tiers/tiers-screen.tsx')).TiersScreen,
}));
const StaffScreen = lazy(async () => ({
  default: (await import('../features/staff/staff-screen.tsx')).StaffScreen,
}));
const RolesScreen = lazy(async () => ({
  default: (await import('../features/staff/roles-screen.tsx')).RolesScreen,
}));

interface ScreenRoute {
  readonly path: string;
  readonly permission: Permission;
  readonly screen: ReactNode;
}

export const SCREENS: readonly ScreenRoute[] = [
  { path: paths.customers, permission: 'customers.read', screen: <CustomersScreen /> },
  { path: `${paths.customers}/:uuid`, permission: 'customers.read', screen: <CustomerScreen /> },
  { path: `${paths.purchases}/:id?`, permission: 'purchases.read', screen: <PurchasesScreen /> },
  { path: `${paths.categories}/:id?`, permission: 'catalogue.read', screen: <CategoriesScreen /> },
  { path: paths.offers, permission: 'catalogue.read', screen: <OffersScreen /> },
  { path: paths.newOffer, permission: 'catalogue.edit', screen: <NewOfferScreen /> },
  { path: `${paths.importOffers}/:id?`, permission: 'catalogue.edit', screen: <ImportScreen /> },
  { path: `${paths.offers}/:id`, permission: 'catalogue.read', screen: <OfferScreen /> },
  { path: paths.merchants, permission: 'catalogue.read', screen: <MerchantsScreen /> },
  { path: `${paths.merchants}/:id`, permission: 'catalogue.read', screen: <MerchantScreen /> },
  { path: `${paths.redemptions}/:id?`, permission: 'scans.read', screen: <RedemptionsScreen /> },
  { path: `${paths.conflicts}/:id?`, permission: 'scans.read', screen: <ConflictsScreen /> },
  { path: paths.bulkRuns, permission: 'customers.read', screen: <BulkRunsScreen /> },
  { path: paths.bulkRun(':id'), permission: 'customers.read', screen: <BulkScreen /> },
  { path: paths.campaigns, permission: 'campaigns.read', screen: <CampaignsScreen /> },
  { path: `${paths.campaigns}/:id`, permission: 'campaigns.read', screen: <CampaignScreen /> },
  { path: paths.codes, permission: 'codes.look_up', screen: <CodesScreen /> },
  { path: paths.payments, permission: 'payments.read', screen: <PaymentsScreen /> },
  { path: paths.reviews, permission: 'payments.read', screen: <PaymentsScreen isQueue /> },
  { path: `${paths.payments}/:id`, permission: 'payments.read', screen: <PaymentScreen /> },
  { path: `${paths.refunds}/:id?`, permission: 'payments.read', screen: <RefundsScreen /> },
  { path: `${paths.approvals}/:id?`, permission: 'approvals.read', screen: <ApprovalsScreen /> },
  { path: `${paths.venues}/:id?`, permission: 'scans.read', screen: <VenuesScreen /> },
  { path: `${paths.scanners}/:id?`, permission: 'scans.read', screen: <ScannersScreen /> },
  { path: `${paths.jobs}/:id?`, permission: 'jobs.read', screen: <JobsScreen /> },
  { path: paths.mails, permission: 'jobs.read', screen: <MailsScreen /> },
  { path: paths.system, permission: 'system.read', screen: <SystemScreen /> },
  { path: `${paths.scans}/:id?`, permission: 'scans.read', screen: <ScansScreen /> },
  { path: paths.disputes, permission: 'payments.read', screen: <DisputesScreen /> },
  { path: `${paths.disputes}/:id`, permission: 'disputes.manage', screen: <DisputeScreen /> },
  { path: `${paths.debts}/:id?`, permission: 'payments.read', screen: <DebtsScreen /> },
  { path: paths.warnings, permission: 'payments.read', screen: <WarningsScreen /> },
  {
    path: '/reconciliation',
    permission: 'payments.read',
    screen: <Navigate to={paths.reconciliation} replace />,
  },
  { path: `${paths.reconciliation}/:day?`, permission: 'payments.read', screen: <DaysScreen /> },
  {
    path: `${paths.unmatchedMoney}/:id?`,
    permission: 'payments.read',
    screen: <UnmatchedScreen />,
  },
  {
    path: `${paths.cardTransactions}/:id?`,
    permission: 'payments.read',
    screen: <TransactionsScreen />,
  },
  {
    path: `${paths.cardBookings}/:id`,
    permission: 'payments.read',
    screen: <BookingScreen />,
  },
  { path: paths.ledgerAccounts, permission: 'ledger.read', screen: <LedgerAccountsScreen /> },
  {
    path: `${paths.ledgerAccounts}/:id`,
    permission: 'ledger.read',
    screen: <LedgerAccountScreen />,
  },
  { path: `${paths.ledgerTransfers}/:id?`, permission: 'ledger.read', screen: <JournalScreen /> },
  { path: paths.trialBalance, permission: 'ledger.read', screen: <TrialBalanceScreen /> },
  { path: paths.ledgerChain, permission: 'ledger.read', screen: <ChainScreen /> },
  { path: paths.rate, permission: 'rate.read', screen: <RateScreen /> },
  { path: paths.brakes, permission: 'system.read', screen: <BrakesScreen /> },
  { path: paths.settings, permission: 'settings.read', screen: <SettingsScreen /> },
  { path: paths.legal, permission: 'settings.read', screen: <LegalScreen /> },
  { path: paths.legalText(':id'), permission: 'settings.read', screen: <LegalVersionScreen /> },
  { path: `${paths.pictures}/:id?`, permission: 'catalogue.read', screen: <PicturesScreen /> },
  { path: paths.tiers, permission: 'catalogue.read', screen: <TiersScreen /> },
  { path: paths.exports, permission: 'exports.create', screen: <ExportsScreen /> },
  {
    path: paths.auditVerification,
    permission: 'audit.read',
    screen: <AuditVerificationScreen />,
  },
  { path: `${paths.audit}/:id?`, permission: 'audit.read', screen: <AuditScreen /> },
  { path: `${paths.staff}/:id?`, permission: 'staff.read', screen: <StaffScreen /> },
  { path: paths.roles, permission: 'staff.read', screen: <RolesScreen /> },
];
