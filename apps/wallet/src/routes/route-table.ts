/** The URL map (spec 2): address, guard, screen. Screens are loaded when they are first opened. */
import { lazy, type ComponentType } from 'react';
import type { RouteObject } from 'react-router';
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
import { ScreenOutlet } from './screen-outlet.tsx';

/** The `handle` of a route. */
export interface RouteHandle {
  readonly guard?: Guard;
}

const Nothing = () => null;

const screen = (path: string, guard: Guard | undefined, Component: ComponentType): RouteObject => ({
  path,
  Component,
  handle: (guard === undefined ? {} : { guard }) satisfies RouteHandle,
});

/** A screen in its own file, loaded when it is first opened. */
const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));

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
    'history',
    membersOnly,
    later(async () => (await import('../features/history/history-screen.tsx')).HistoryScreen),
  ),
  screen(
    'history/:id',
    membersOnly,
    later(
      async () =>
        (await import('../features/history/history-detail-screen.tsx')).HistoryDetailScreen,
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
    later(
      async () => (await import('../features/purchases/my-purchases-screen.tsx')).MyPurchasesScreen,
    ),
  ),
  screen(
    'my-purchases/:id/redeem',
    membersOnly,
    later(async () => (await import('../features/purchases/redeem-screen.tsx')).RedeemScreen),
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
  screen('*', undefined, NotFoundScreen),
];
