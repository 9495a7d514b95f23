import type { Page } from '@playwright/test';
import { networkFailure, problem, silence } from '../fake-api.ts';
import {
  auditEntries,
  auditHead,
  auditVerification,
  consoleAnswers,
  staffLate,
  staffWith,
} from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

/** Nobody is signed in to the wallet; the console asks the server for its own session. */
const shared = { isVisitor: true, answers: consoleAnswers } as const;
const DENSE_WIDTHS = [390, 768, 1440];

const ENTRY = '/console/audit/1280';
const newcomer = () => ({ ...staffWith(), is_enrolled: false, factors: [] });

async function signIn(page: Page): Promise<void> {
  await write(page, 'Email', 'mara@provider.example');
  await write(page, 'Password', 'long-enough-for-staff');
  await write(page, 'Code', '123456');
  await press(page, 'Sign In');
}

async function showCodes(page: Page): Promise<void> {
  await press(page, 'Add an authenticator app');
  await write(page, 'Six digits from the app', '123456');
  await press(page, 'Confirm');
  await see(page, 'I have saved them');
}

async function askForProof(page: Page): Promise<void> {
  await press(page, 'Remove Authenticator app');
  await see(page, 'Confirm that it is you');
}

const signInScreens = statesOf(
  'console-sign-in',
  { ...shared, path: '/console/audit' },
  {
    empty: { answers: { me: () => problem('unauthenticated') } },
    refused: {
      answers: {
        me: () => problem('unauthenticated'),
        signIn: () => problem('incorrect_credentials'),
      },
      async reach(page) {
        await signIn(page);
        await see(page, 'Could not sign you in');
      },
    },
    unreachable: { answers: { me: networkFailure }, reach: seen('No connection') },
    ended: {
      async reach(page) {
        await page.route('**/api/admin/audit/*', (route) =>
          route.fulfill({ status: 401, json: {} }),
        );
        await page.getByRole('link', { name: 'Invited a member of staff' }).first().click();
        await see(page, 'Your session has ended');
      },
    },
    invite: {
      path: `/console/invite#${'a'.repeat(43)}`,
      answers: {
        me: () => problem('unauthenticated'),
        invite: () => ({
          email: 'ines@brand.example',
          name: 'Ines Achterberg-Vandermeulen',
          organisation: 'brand',
          roles: [{ id: 'catalogue_editor', title: 'Catalogue editor' }],
          expires_at: new Date().toISOString(),
          has_passkeys: true,
        }),
      },
      reach: seen('Welcome to the console'),
    },
    'invite-over': {
      path: `/console/invite#${'a'.repeat(43)}`,
      answers: {
        me: () => problem('unauthenticated'),
        invite: () => problem('invalid_code'),
      },
      reach: seen('This invite is no longer valid'),
    },
    enrol: { answers: { me: newcomer }, reach: seen('Add a passkey') },
    'recovery-codes': {
      answers: {
        me: newcomer,
        beginTotp: () => ({
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          address: 'otpauth://totp/Console:mara?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        }),
        confirmTotp: () => ({ success: true }),
        makeRecoveryCodes: () => ({
          codes: Array.from({ length: 10 }, (_, index) => `k7fq-9dmx-${index}w2p`),
        }),
      },
      reach: showCodes,
    },
  },
);

const meScreen = statesOf(
  'console-me',
  { ...shared, path: '/console/me' },
  {
    filled: { reach: seen('Safari on iPhone') },
    proof: {
      answers: { removeFactor: () => problem('confirmation_required') },
      reach: askForProof,
    },
    idle: {
      reach: async (page) => {
        await see(page, 'Safari on iPhone');
        await page.clock.fastForward('28:30');
        await see(page, 'Are you still there?');
      },
    },
    late: { answers: { me: staffLate }, reach: seen('This session ends at') },
  },
);

const auditScreen = statesOf(
  'console-audit',
  { ...shared, path: '/console/audit', widths: DENSE_WIDTHS },
  {
    filled: { reach: seen('25 of 1,284 shown') },
    entry: { path: ENTRY, reach: seen('Place in the chain') },
    filtered: {
      path: '/console/audit?outcome=refused&from=2026-11-01&sort=oldest',
      reach: seen('25 of 1,284 shown'),
    },
    loading: { answers: { auditEntries: silence } },
    empty: {
      answers: {
        auditEntries: () => ({
          items: [],
          next_cursor: null,
          count: { value: 0, is_at_least: false },
        }),
      },
      reach: seen('Nothing yet'),
    },
    many: {
      answers: {
        auditEntries: () => ({ ...auditEntries(), count: { value: 10_000, is_at_least: true } }),
      },
      reach: seen('25 of more than 10,000 shown'),
    },
    failed: {
      answers: { auditEntries: () => problem('internal_error') },
      async reach(page) {
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
    forbidden: {
      answers: { me: () => staffWith(['support']) },
      reach: seen('Roles that hold it'),
    },
    filters: {
      async reach(page) {
        await press(page, 'Filter');
        await press(page, 'Outcome');
        await see(page, 'Requested');
      },
    },
    views: {
      async reach(page) {
        await press(page, 'Views');
        await see(page, 'This month');
      },
    },
    verification: {
      path: '/console/audit/verification',
      reach: seen('1,284 entries, 3 of them erased'),
    },
    'verification-running': {
      path: '/console/audit/verification',
      answers: {
        auditHead: () => auditHead(auditVerification({ finished_at: null, head: null })),
      },
      reach: seen('Verifying the audit'),
    },
    'verification-wrong': {
      path: '/console/audit/verification',
      answers: { auditHead: () => auditHead(auditVerification({ fault: 'entry 4 was altered' })) },
      reach: seen('entry 4 was altered'),
    },
    'palette-found': {
      async reach(page) {
        await see(page, '25 of 1,284 shown');
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search' }).fill('pi_3Pq');
        await page.clock.fastForward(500);
        await see(page, 'pi_3PqRsT2eZvKYlo2C');
      },
    },
    palette: {
      async reach(page) {
        await see(page, '25 of 1,284 shown');
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search' }).waitFor();
      },
    },
    keys: {
      async reach(page) {
        await see(page, '25 of 1,284 shown');
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      },
    },
  },
);

export const consoleStates: readonly ScreenState[] = [
  ...signInScreens,
  ...meScreen,
  ...auditScreen,
];
