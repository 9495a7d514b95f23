import type { Page } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { NIGHT_SHIFT, consoleAnswers, staffMember, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

const shared = { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440] } as const;

const MEMBER = '/console/staff/0192bbbb-0000-7000-8000-000000000102';

const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name, exact: true }).click();

/** More venues than anybody reads through. */
const manyVenues = () => ({
  items: Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `Gate ${index + 1}` })),
});

async function suspend(page: Page): Promise<void> {
  await press(page, 'Actions');
  await choose(page, 'Suspend');
  await page.getByRole('dialog', { name: 'Suspend' }).waitFor();
}

async function openVenues(page: Page): Promise<void> {
  await press(page, 'Actions');
  await choose(page, 'Change roles');
  await page.getByLabel('Venues', { exact: true }).selectOption('some');
}

async function meetConflict(page: Page): Promise<void> {
  // On narrow screens, one role is shown at a time.
  await page.getByLabel('Role', { exact: true }).selectOption('Night shift');
  await press(page, 'Edit this role');
  await write(page, 'Title', 'Night shift and weekends');
  await write(page, 'Reason', 'They also work on Sundays.');
  await press(page, 'Save');
  await see(page, 'Someone else has changed this');
}

export const staffStates = statesOf(
  'console-staff',
  { ...shared, path: '/console/staff' },
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
        await openVenues(page);
        await page.getByRole('checkbox', { name: 'Gate 3', exact: true }).check();
        await see(page, '1 of 500 venues chosen');
      },
    },
    'venues-failed': {
      path: MEMBER,
      answers: { venueNames: () => problem('internal_error') },
      async reach(page) {
        await openVenues(page);
        await page.clock.fastForward(2000);
        await see(page, 'This could not be loaded');
      },
    },
    'venues-loading': {
      path: MEMBER,
      answers: { venueNames: silence },
      reach: openVenues,
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
