import type { Page } from '@playwright/test';
import { networkFailure, problem, silence } from '../fake-api.ts';
import {
  NIGHT_SHIFT,
  auditEntries,
  auditHead,
  auditVerification,
  consoleAnswers,
  staffMember,
  staffWith,
} from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

/** Nobody is signed in to the wallet; the console asks the server who is. */
const shared = { isVisitor: true, answers: consoleAnswers } as const;
const DENSE_WIDTHS = [390, 768, 1440];

const MEMBER = '/console/staff/0192bbbb-0000-7000-8000-000000000102';
const ENTRY = '/console/audit/1280';
const newcomer = () => ({ ...staffWith(), is_enrolled: false, factors: [] });

const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name, exact: true }).click();

/** More than anybody reads through. */
const manyVenues = () => ({
  items: Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `Gate ${index + 1}` })),
});

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

async function suspend(page: Page): Promise<void> {
  await press(page, 'Actions');
  await choose(page, 'Suspend');
  await page.getByRole('dialog', { name: 'Suspend' }).waitFor();
}

async function meetConflict(page: Page): Promise<void> {
  // One role at a time where there is no room for all.
  await page.getByLabel('Role', { exact: true }).selectOption('Night shift');
  await press(page, 'Edit this role');
  await write(page, 'Title', 'Night shift and weekends');
  await write(page, 'Reason', 'They also work on Sundays.');
  await press(page, 'Save');
  await see(page, 'Someone else has changed this');
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

const staffScreens = statesOf(
  'console-staff',
  { ...shared, path: '/console/staff', widths: DENSE_WIDTHS },
  {
    filled: { reach: seen('6 of 6 shown') },
    member: { path: MEMBER, reach: seen('Own wallet') },
    'member-auditor': {
      path: MEMBER,
      answers: { me: () => staffWith(['auditor']) },
      async reach(page) {
        await press(page, 'Actions');
        await see(page, /Needs the permission staff.manage/);
      },
    },
    suspend: { path: MEMBER, reach: suspend },
    'invite-again': {
      path: MEMBER,
      answers: { staffMember: () => staffMember({ state: 'invited', factor_kinds: [] }) },
      reach: seen('Invited'),
    },
    invite: {
      async reach(page) {
        await press(page, 'Invite');
        await page.getByRole('checkbox', { name: 'Catalogue editor' }).waitFor();
      },
    },
    'invite-lead': {
      async reach(page) {
        await press(page, 'Invite');
        await page.getByRole('checkbox', { name: 'Scanner lead' }).check();
        await see(page, 'Enter an address and a name.');
      },
    },
    'member-bound': {
      path: MEMBER,
      answers: { staffMember: () => staffMember({ venue_ids: [3, 4] }) },
      reach: seen('Harbour Stage, Sky Bar'),
    },
    venues: {
      path: MEMBER,
      answers: { venueNames: manyVenues },
      async reach(page) {
        await press(page, 'Actions');
        await choose(page, 'Change roles');
        await page.getByLabel('Venues', { exact: true }).selectOption('some');
        await page.getByRole('checkbox', { name: 'Gate 3', exact: true }).check();
        await see(page, '1 of 500 venues chosen');
      },
    },
    'venues-failed': {
      path: MEMBER,
      answers: { venueNames: () => problem('internal_error') },
      async reach(page) {
        await press(page, 'Actions');
        await choose(page, 'Change roles');
        await page.getByLabel('Venues', { exact: true }).selectOption('some');
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
    'venues-loading': {
      path: MEMBER,
      answers: { venueNames: silence },
      async reach(page) {
        await press(page, 'Actions');
        await choose(page, 'Change roles');
        await page.getByLabel('Venues', { exact: true }).selectOption('some');
      },
    },
    roles: {
      path: '/console/roles',
      reach: (page) => page.getByLabel('Role', { exact: true }).waitFor(),
    },
    'role-conflict': {
      path: '/console/roles',
      answers: {
        changeRole: () =>
          problem('version_conflict', {
            present: {
              ...NIGHT_SHIFT,
              version: 3,
              grants: { ...NIGHT_SHIFT.grants, 'purchases.read': '●' },
            },
          }),
      },
      reach: meetConflict,
    },
  },
);

export const consoleStates: readonly ScreenState[] = [
  ...signInScreens,
  ...meScreen,
  ...auditScreen,
  ...staffScreens,
];
