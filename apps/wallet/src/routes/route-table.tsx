/** The URL map (spec 2): address, guard, screen. Screens are fetched when they are first opened. */
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { GetStartedScreen } from '../features/auth/get-started-screen.tsx';
import { ErrorScreen } from '../features/start/error-screen.tsx';
import { NotFoundScreen } from '../features/start/not-found-screen.tsx';
import { membersOnly, resetGuard, toStart, verificationGuard, visitorsOnly } from './guards.ts';
import { RootLayout } from './root-layout.tsx';

type Screen = () => Promise<ComponentType>;

const screen = (path: string, loader: RouteObject['loader'], load: Screen): RouteObject => ({
  path,
  ...(loader !== undefined && { loader }),
  lazy: { Component: load },
  ErrorBoundary: ErrorScreen,
});
const visitorScreen = (path: string, load: Screen) => screen(path, visitorsOnly, load);
const memberScreen = (path: string, load: Screen) => screen(path, membersOnly, load);

const authRoutes: RouteObject[] = [
  { index: true, loader: toStart },
  // In the first bundle: the first page of a newcomer waits for one round trip less.
  { path: 'get-started', loader: visitorsOnly, Component: GetStartedScreen },
  visitorScreen(
    'choose',
    async () => (await import('../features/auth/choose-screen.tsx')).ChooseScreen,
  ),
  visitorScreen(
    'sign-up',
    async () => (await import('../features/auth/sign-up-screen.tsx')).SignUpScreen,
  ),
  screen(
    'verify-account',
    verificationGuard,
    async () => (await import('../features/auth/verify-account-screen.tsx')).VerifyAccountScreen,
  ),
  visitorScreen(
    'sign-in',
    async () => (await import('../features/auth/sign-in-screen.tsx')).SignInScreen,
  ),
  visitorScreen(
    'forgot-password',
    async () => (await import('../features/auth/forgot-password-screen.tsx')).ForgotPasswordScreen,
  ),
  screen(
    'reset-password',
    resetGuard,
    async () => (await import('../features/auth/reset-password-screen.tsx')).ResetPasswordScreen,
  ),
  visitorScreen(
    'terms',
    async () => (await import('../features/auth/legal-screen.tsx')).TermsScreen,
  ),
  visitorScreen(
    'privacy',
    async () => (await import('../features/auth/legal-screen.tsx')).PrivacyScreen,
  ),
  { path: '*', loader: visitorsOnly, Component: NotFoundScreen },
];

const appRoutes: RouteObject[] = [
  {
    index: true,
    loader: membersOnly,
    lazy: { Component: async () => (await import('../features/home/home-screen.tsx')).HomeScreen },
    ErrorBoundary: ErrorScreen,
  },
  memberScreen(
    'wallet',
    async () => (await import('../features/wallet/wallet-screen.tsx')).WalletScreen,
  ),
  memberScreen('buy', async () => (await import('../features/buy/buy-screen.tsx')).BuyScreen),
  memberScreen(
    'send',
    async () => (await import('../features/send/send-amount-screen.tsx')).SendAmountScreen,
  ),
  memberScreen(
    'send/recipient',
    async () => (await import('../features/send/send-recipient-screen.tsx')).SendRecipientScreen,
  ),
  memberScreen(
    'send/summary',
    async () => (await import('../features/send/send-summary-screen.tsx')).SendSummaryScreen,
  ),
  memberScreen(
    'history',
    async () => (await import('../features/history/history-screen.tsx')).HistoryScreen,
  ),
  memberScreen(
    'history/:id',
    async () => (await import('../features/history/history-detail-screen.tsx')).HistoryDetailScreen,
  ),
  memberScreen(
    'settings',
    async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
  ),
  { path: '*', loader: membersOnly, Component: NotFoundScreen },
];

export const routeTable: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: ErrorScreen,
    // The first screen comes at once or after a moment of the page's own ground; never a flash of something else.
    HydrateFallback: () => null,
    children: [
      { index: true, loader: toStart },
      { path: 'auth', children: authRoutes },
      {
        path: 'app',
        lazy: { Component: async () => (await import('./app-layout.tsx')).AppLayout },
        children: appRoutes,
      },
      { path: '*', Component: NotFoundScreen },
    ],
  },
];
