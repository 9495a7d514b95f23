/** The URL map (spec 2): address, guard, screen. Screens are loaded when they are first opened. */
import { createElement, lazy, useState, type ComponentType } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';
import { GetStartedScreen } from '../features/auth/get-started-screen.tsx';
import { NotFoundScreen } from '../features/start/not-found-screen.tsx';
import {
  membersOnly,
  redemptionGuard,
  resetGuard,
  toStart,
  verificationGuard,
  visitorsOnly,
} from './guards.ts';
import type { Guard } from './guards.ts';
import { paths } from './paths.ts';
import { ScreenOutlet } from './screen-outlet.tsx';

/** The `handle` of a route. */
export interface RouteHandle {
  readonly guard?: Guard;
}

const Nothing = () => null;

const screen = (
  path: string,
  guard: Guard | undefined,
  Component: ComponentType,
  children: RouteObject[] = [],
): RouteObject => ({
  path,
  Component,
  handle: (guard === undefined ? {} : { guard }) satisfies RouteHandle,
  children,
});

type LaterScreen = ComponentType & { readonly fetchCode: () => void };

/**
 * A screen in its own file, loaded when it is first opened or when `fetchCode` asks for it. A screen that is loaded before it is rendered
 * does not suspend: after a suspension React delays the next render by up to 300 ms.
 */
function later(load: () => Promise<ComponentType>): LaterScreen {
  let Loaded: ComponentType | undefined;
  const loadOnce = async () => ({ default: (Loaded ??= await load()) });
  const Lazy = lazy(loadOnce);
  function Later() {
    const [Screen] = useState<ComponentType>(() => Loaded ?? Lazy);
    return createElement(Screen);
  }
  // A failure here is ignored, because the screen itself fetches its code again.
  return Object.assign(Later, { fetchCode: () => void loadOnce().catch(() => undefined) });
}

const visitorScreens: RouteObject[] = [
  // Part of the first bundle, which saves a new user's first page one round trip.
  screen('get-started', visitorsOnly, GetStartedScreen),
  screen(
    'choose',
    visitorsOnly,
    later(async () => (await import('../features/auth/choose-screen.tsx')).ChooseScreen),
  ),
  screen(
    'sign-up',
    visitorsOnly,
    later(async () => (await import('../features/auth/sign-up-screen.tsx')).SignUpScreen),
  ),
  screen(
    'verify-account',
    verificationGuard,
    later(
      async () => (await import('../features/auth/verify-account-screen.tsx')).VerifyAccountScreen,
    ),
  ),
  screen(
    'sign-in',
    visitorsOnly,
    later(async () => (await import('../features/auth/sign-in-screen.tsx')).SignInScreen),
  ),
  screen(
    'forgot-password',
    visitorsOnly,
    later(
      async () =>
        (await import('../features/auth/forgot-password-screen.tsx')).ForgotPasswordScreen,
    ),
  ),
  screen(
    'reset-password',
    resetGuard,
    later(
      async () => (await import('../features/auth/reset-password-screen.tsx')).ResetPasswordScreen,
    ),
  ),
  screen(
    'tickets',
    visitorsOnly,
    later(async () => (await import('../features/auth/kept-tickets-screen.tsx')).KeptTicketsScreen),
  ),
  screen(
    'recover',
    undefined,
    later(async () => (await import('../features/auth/recover-screen.tsx')).RecoverScreen),
  ),
  screen(
    'stop-recovery',
    undefined,
    later(async () => (await import('../features/auth/recover-screen.tsx')).StopRecoveryScreen),
  ),
  screen('*', visitorsOnly, NotFoundScreen),
];

const memberScreens: RouteObject[] = [
  {
    index: true,
    Component: later(async () => (await import('../features/home/home-screen.tsx')).HomeScreen),
    handle: { guard: membersOnly } satisfies RouteHandle,
  },
  screen(
    'wallet',
    membersOnly,
    later(async () => (await import('../features/wallet/wallet-screen.tsx')).WalletScreen),
  ),
  screen(
    'buy',
    membersOnly,
    later(async () => (await import('../features/buy/buy-screen.tsx')).BuyScreen),
  ),
  screen(
    'send',
    membersOnly,
    later(async () => (await import('../features/send/send-amount-screen.tsx')).SendAmountScreen),
  ),
  screen(
    'send/recipient',
    membersOnly,
    later(
      async () => (await import('../features/send/send-recipient-screen.tsx')).SendRecipientScreen,
    ),
  ),
  screen(
    'send/summary',
    membersOnly,
    later(async () => (await import('../features/send/send-summary-screen.tsx')).SendSummaryScreen),
  ),
  screen(
    'pay',
    membersOnly,
    later(async () => (await import('../features/send/pay-screen.tsx')).PayScreen),
  ),
  screen(
    'history',
    membersOnly,
    later(async () => (await import('./lists-with-details.tsx')).HistoryWithDetail),
    [
      screen(
        ':id',
        membersOnly,
        later(
          async () =>
            (await import('../features/history/history-detail-screen.tsx')).HistoryDetailScreen,
        ),
      ),
      screen(
        ':id/receipt',
        membersOnly,
        later(async () => (await import('../features/history/receipt-screen.tsx')).ReceiptScreen),
      ),
    ],
  ),
  screen(
    'statements',
    membersOnly,
    later(
      async () => (await import('../features/statements/statements-screen.tsx')).StatementsScreen,
    ),
  ),
  screen(
    'marketplace/categories/:id',
    membersOnly,
    later(async () => (await import('../features/marketplace/category-screen.tsx')).CategoryScreen),
  ),
  screen(
    'marketplace/categories/:categoryId/offers/:id',
    membersOnly,
    later(async () => (await import('../features/marketplace/offer-screen.tsx')).OfferScreen),
  ),
  screen(
    'cart',
    membersOnly,
    later(async () => (await import('../features/cart/cart-screen.tsx')).CartScreen),
  ),
  screen(
    'my-purchases',
    membersOnly,
    later(async () => (await import('./lists-with-details.tsx')).PurchasesWithDetail),
    [
      screen(
        ':id/redeem',
        membersOnly,
        later(async () => (await import('../features/purchases/redeem-screen.tsx')).RedeemScreen),
      ),
    ],
  ),
  screen(
    'tiers',
    membersOnly,
    later(async () => (await import('../features/tiers/tiers-screen.tsx')).TiersScreen),
  ),
  screen(
    'redeem',
    redemptionGuard,
    later(async () => (await import('../features/reward/reward-screen.tsx')).RewardScreen),
  ),
  screen(
    'settings',
    membersOnly,
    later(async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen),
  ),
  screen(
    'settings/reward-code',
    membersOnly,
    later(async () => (await import('../features/reward/enter-code-screen.tsx')).EnterCodeScreen),
  ),
  screen(
    'settings/profile',
    membersOnly,
    later(async () => (await import('../features/profile/profile-screen.tsx')).ProfileScreen),
  ),
  screen(
    'settings/security',
    membersOnly,
    later(async () => (await import('../features/security/security-screen.tsx')).SecurityScreen),
  ),
  screen(
    'settings/security/authenticator',
    membersOnly,
    later(
      async () =>
        (await import('../features/security/authenticator-screen.tsx')).AuthenticatorScreen,
    ),
  ),
  screen(
    'settings/security/recovery-codes',
    membersOnly,
    later(
      async () =>
        (await import('../features/security/recovery-codes-screen.tsx')).RecoveryCodesScreen,
    ),
  ),
  screen(
    'settings/security/passkeys',
    membersOnly,
    later(async () => (await import('../features/security/passkeys-screen.tsx')).PasskeysScreen),
  ),
  screen(
    'settings/update-password',
    membersOnly,
    later(
      async () =>
        (await import('../features/settings/update-password-screen.tsx')).UpdatePasswordScreen,
    ),
  ),
  screen(
    'settings/delete-account',
    membersOnly,
    later(
      async () =>
        (await import('../features/settings/delete-account-screen.tsx')).DeleteAccountScreen,
    ),
  ),
  screen('*', membersOnly, NotFoundScreen),
];

/** Imported in one place, because each dynamic import includes a list of all the files that it needs. */
const legalScreen = (name: 'TermsScreen' | 'PrivacyScreen' | 'DataDeletionScreen'): ComponentType =>
  later(async () => (await import('../features/auth/legal-screen.tsx'))[name]);

const toStartHandle: RouteHandle = { guard: toStart };

export const routeTable: RouteObject[] = [
  { path: '/', Component: Nothing, handle: toStartHandle },
  {
    path: '/auth',
    Component: ScreenOutlet,
    children: [{ index: true, Component: Nothing, handle: toStartHandle }, ...visitorScreens],
  },
  {
    path: '/app',
    Component: later(async () => (await import('./app-layout.tsx')).AppLayout),
    children: memberScreens,
  },
  screen('/terms', undefined, legalScreen('TermsScreen')),
  screen('/privacy', undefined, legalScreen('PrivacyScreen')),
  screen('/user-data-deletion', undefined, legalScreen('DataDeletionScreen')),
  screen(
    paths.sharedReceipt,
    undefined,
    later(
      async () =>
        (await import('../features/history/shared-receipt-screen.tsx')).SharedReceiptScreen,
    ),
  ),
  screen('*', undefined, NotFoundScreen),
];

/** Fetches the code of the screens at an address. */
export function fetchScreens(pathname: string): void {
  for (const { route } of matchRoutes(routeTable, pathname) ?? []) {
    (route.Component as Partial<LaterScreen> | null)?.fetchCode?.();
  }
}
