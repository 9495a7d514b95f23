import type { Page } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { ownPasskeys, ownSessions } from '../samples/security.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const sessions = statesOf(
  'security',
  { path: '/app/settings/security' },
  {
    filled: { isWhole: true, reach: seen('This device') },
    alone: {
      answers: { sessions: () => ({ sessions: ownSessions.filter((one) => one.is_current) }) },
      reach: seen('This device'),
    },
    loading: { answers: { sessions: silence }, reach: seen('Signed-in devices') },
    failed: {
      answers: { sessions: () => problem('internal_error') },
      reach: seen('could not be loaded'),
    },
    ended: {
      reach: async (page) => {
        await press(page, 'End all others');
        await see(page, 'Signed out there');
      },
    },
  },
);

const isOn = {
  secondStep: () => ({
    totp_since: '2026-11-20T07:30:00.000Z',
    recovery_codes_left: 7,
    recovery_ends_at: null,
  }),
};

async function beginSetup(page: Page): Promise<void> {
  await write(page, 'Password', 'Correct-horse-7');
  await press(page, 'Continue');
  await see(page, 'Or type this secret');
}

async function renewCodes(page: Page): Promise<void> {
  await write(page, 'Password', 'Correct-horse-7');
  await write(page, 'Code of the app, or a recovery code', '123456');
  await press(page, 'Make new codes');
}

const authenticator = statesOf(
  'authenticator',
  { path: '/app/settings/security/authenticator' },
  {
    password: { reach: seen('You need an authenticator app') },
    scan: { isWhole: true, reach: beginSetup },
    codes: {
      isWhole: true,
      reach: async (page) => {
        await beginSetup(page);
        await write(page, 'Six digits from the app', '123456');
        await press(page, 'Confirm');
        await see(page, 'I have saved them');
      },
    },
    removal: { answers: isOn, reach: seen('Your recovery codes stop working') },
  },
);

const recoveryCodes = statesOf(
  'recovery-codes',
  { path: '/app/settings/security/recovery-codes', answers: isOn },
  {
    asked: { reach: seen('You get ten new codes.') },
    refused: {
      answers: { renewRecoveryCodes: () => problem('invalid_code') },
      reach: async (page) => {
        await renewCodes(page);
        await see(page, 'No new codes were made.');
      },
    },
    made: {
      isWhole: true,
      reach: async (page) => {
        await renewCodes(page);
        await see(page, 'I have saved them');
      },
    },
  },
);

const recovery = statesOf(
  'recovery-bar',
  {
    path: '/app/settings/security',
    answers: {
      secondStep: () => ({
        totp_since: '2026-11-20T07:30:00.000Z',
        recovery_codes_left: 7,
        recovery_ends_at: '2026-11-24T12:00:00.000Z',
      }),
    },
  },
  {
    shown: { reach: seen('Somebody asked to remove your second step.') },
    home: { path: '/app', reach: seen('Somebody asked to remove your second step.') },
  },
);

const havePasskeys = { passkeys: () => ({ passkeys: ownPasskeys }) };

const passkeys = statesOf(
  'passkeys',
  { path: '/app/settings/security/passkeys' },
  {
    none: { reach: seen('None yet') },
    filled: { answers: havePasskeys, reach: seen('Not used yet') },
    loading: { answers: { passkeys: silence }, reach: seen('Passkeys') },
    failed: {
      answers: { passkeys: () => problem('internal_error') },
      reach: seen('could not be loaded'),
    },
    rename: {
      answers: havePasskeys,
      reach: async (page) => {
        await press(page, 'Rename Safari on iOS');
        await see(page, 'Save');
      },
    },
    removal: {
      answers: { ...havePasskeys, ...isOn },
      reach: async (page) => {
        await press(page, 'Remove Safari on iOS');
        await see(page, 'Delete it on your device too');
      },
    },
  },
);

const limits = statesOf(
  'confirmation-limit',
  { path: '/app/settings/security' },
  {
    set: {
      isWhole: true,
      answers: {
        confirmationLimit: () => ({ limit_usd_cents: 5000, usual_usd_cents: 20_000, next: null }),
      },
      reach: seen('Ask me above'),
    },
    raised: {
      isWhole: true,
      answers: {
        confirmationLimit: () => ({
          limit_usd_cents: 5000,
          usual_usd_cents: 20_000,
          next: { limit_usd_cents: 20_000, from: '2026-11-24T12:00:00.000Z' },
        }),
      },
      reach: seen('Keep $50'),
    },
  },
);

export const securityStates: readonly ScreenState[] = [
  ...sessions,
  ...authenticator,
  ...recoveryCodes,
  ...passkeys,
  ...recovery,
  ...limits,
];
