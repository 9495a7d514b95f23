/** Renders single screens for a signed-in user, with the parts of the app that screens rely on, under fake time. */
import { queryClient } from '@athos/app-core/query-client';
import { LinkProvider } from '@athos/ui/primitives/link';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Toaster } from '@athos/ui/overlays/toaster';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { RouterLink } from '@athos/app-core/browser-router';
import { MemoryRouter, Route, Routes, useLocation, type MemoryRouterProps } from 'react-router';
import { vi } from 'vitest';
import { startLiveUpdates, stopLiveUpdates } from '../src/api/live-updates.ts';
import { BuyScreen } from '../src/features/buy/buy-screen.tsx';
import { CartScreen } from '../src/features/cart/cart-screen.tsx';
import { HomeScreen } from '../src/features/home/home-screen.tsx';
import { SendAmountScreen } from '../src/features/send/send-amount-screen.tsx';
import { SendRecipientScreen } from '../src/features/send/send-recipient-screen.tsx';
import { SendSummaryScreen } from '../src/features/send/send-summary-screen.tsx';
import { CategoryScreen } from '../src/features/marketplace/category-screen.tsx';
import { OfferScreen } from '../src/features/marketplace/offer-screen.tsx';
import { HistoryDetailScreen } from '../src/features/history/history-detail-screen.tsx';
import { HistoryScreen } from '../src/features/history/history-screen.tsx';
import { ReceiptScreen } from '../src/features/history/receipt-screen.tsx';
import { SharedReceiptScreen } from '../src/features/history/shared-receipt-screen.tsx';
import { MyPurchasesScreen } from '../src/features/purchases/my-purchases-screen.tsx';
import { RedeemScreen } from '../src/features/purchases/redeem-screen.tsx';
import { DeleteAccountScreen } from '../src/features/settings/delete-account-screen.tsx';
import { AuthenticatorScreen } from '../src/features/security/authenticator-screen.tsx';
import { ProfileScreen } from '../src/features/profile/profile-screen.tsx';
import { PayScreen } from '../src/features/send/pay-screen.tsx';
import { PasskeysScreen } from '../src/features/security/passkeys-screen.tsx';
import { RecoveryCodesScreen } from '../src/features/security/recovery-codes-screen.tsx';
import { SecurityScreen } from '../src/features/security/security-screen.tsx';
import { StatementsScreen } from '../src/features/statements/statements-screen.tsx';
import { SettingsScreen } from '../src/features/settings/settings-screen.tsx';
import { UpdatePasswordScreen } from '../src/features/settings/update-password-screen.tsx';
import { TiersScreen } from '../src/features/tiers/tiers-screen.tsx';
import { WalletScreen } from '../src/features/wallet/wallet-screen.tsx';
import { paths } from '../src/routes/paths.ts';
import { closeCartPurchases } from '../src/state/cart-purchase.ts';
import { closeCarts } from '../src/state/cart.ts';
import { closeContactBooks } from '../src/state/contacts.ts';
import { closeSharedContacts } from '../src/state/shared-contacts.ts';
import { closeCardOrders } from '../src/state/card-order.ts';
import { closeSendDrafts } from '../src/state/send-draft.ts';
import { session } from '../src/state/session.ts';
import { closeTipDrafts } from '../src/state/tip-draft.ts';
import { pass } from '@athos/testing/fake-time';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';

// The default is a timer of 0 ms, which fake time turns into 1 ms during a tick.
notifyManager.setScheduler(queueMicrotask);

/** The screens that can be opened; any other address renders nothing but itself. */
const SCREENS: Readonly<Record<string, ComponentType>> = {
  [paths.home]: HomeScreen,
  [paths.wallet]: WalletScreen,
  [paths.buy]: BuyScreen,
  [paths.send]: SendAmountScreen,
  [paths.sendRecipient]: SendRecipientScreen,
  [paths.sendSummary]: SendSummaryScreen,
  [paths.history]: HistoryScreen,
  [`${paths.history}/:id`]: HistoryDetailScreen,
  [`${paths.history}/:id/receipt`]: ReceiptScreen,
  [paths.sharedReceipt]: SharedReceiptScreen,
  [paths.statements]: StatementsScreen,
  [paths.settings]: SettingsScreen,
  [paths.profile]: ProfileScreen,
  ['/app/pay']: PayScreen,
  [paths.security]: SecurityScreen,
  [paths.authenticator]: AuthenticatorScreen,
  [paths.recoveryCodes]: RecoveryCodesScreen,
  [paths.passkeys]: PasskeysScreen,
  [paths.updatePassword]: UpdatePasswordScreen,
  [paths.deleteAccount]: DeleteAccountScreen,
  [`${paths.marketplace}/categories/:id`]: CategoryScreen,
  [`${paths.marketplace}/categories/:categoryId/offers/:id`]: OfferScreen,
  [paths.cart]: CartScreen,
  [paths.myPurchases]: MyPurchasesScreen,
  [`${paths.myPurchases}/:id/redeem`]: RedeemScreen,
  [paths.tiers]: TiersScreen,
};

function Address() {
  const { pathname, search } = useLocation();
  return (
    <output data-testid="address" data-query={search}>
      {pathname}
    </output>
  );
}

export const currentAddress = (): string => screen.getByTestId('address').textContent;
/** The query with its question mark, or an empty string. */
export const currentQuery = (): string => screen.getByTestId('address').dataset['query'] ?? '';

type Entry = NonNullable<MemoryRouterProps['initialEntries']>[number];

/** Opens the app at an address, with navigation state if it is an entry, as a reload does; `live` also polls. */
export async function openAt(entry: Entry, options: { live?: boolean } = {}): Promise<UserEvent> {
  const user = userEvent.setup({ delay: null });
  session.begin({ token: fakeToken(), uuid: FAKE_UUID });
  if (options.live) startLiveUpdates();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[entry]}>
        <LinkProvider link={RouterLink}>
          <Address />
          <Routes>
            {Object.entries(SCREENS).map(([address, Screen]) => (
              <Route key={address} path={address} element={<Screen />} />
            ))}
            <Route path="*" element={null} />
          </Routes>
        </LinkProvider>
      </MemoryRouter>
      <Toaster />
    </QueryClientProvider>,
  );
  // Live updates load the code of the stream, which fetches the balance again once it is open.
  if (options.live) await passLoading();
  else await pass();
  return user;
}

/** Waits for lazily loaded modules, which fake time does not cover. */
export async function passLoading(): Promise<void> {
  await act(async () => {
    await vi.dynamicImportSettled();
  });
  await pass();
}

/** Keeps what a reload keeps, which is storage, and drops everything in memory. */
export function closeApp(): void {
  cleanup();
  stopLiveUpdates();
  toasts.clear();
  queryClient.clear();
  closeContactBooks();
  closeSharedContacts();
  closeCartPurchases();
  closeCarts();
  closeTipDrafts();
  closeSendDrafts();
  closeCardOrders();
  session.set({ status: 'starting' });
}

/** For `afterEach`: leaves nothing for the next test. */
export function endTest(): void {
  closeApp();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
