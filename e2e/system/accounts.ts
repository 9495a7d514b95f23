/** Accounts for a story. Each is new, so that no story sees another's data. */
import { randomUUID } from 'node:crypto';
import { addresses } from './addresses.ts';
import { callApi } from './api.ts';
import { linkTo, waitForMail } from './mailbox.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly uuid: string;
  readonly token: string;
}

export const PASSWORD = 'Correct-horse-7';
const TENANT = { tenant_id: 1, mode: 'production' } as const;
const MICRO_PER_ATH = 1_000_000;

export const newEmail = (): string => `${randomUUID()}@example.com`;

/** Registers an account and verifies it with the mailed link. */
export async function createAccount(): Promise<Account> {
  const email = newEmail();
  await callApi('register', { body: { email, password: PASSWORD, ...TENANT } });
  const mail = await waitForMail(email, /^Verify/);
  const code = new URL(linkTo(mail, '/auth/verify-account')).searchParams.get('code') ?? '';
  const session = await callApi('verify', { body: { code } });
  return { email, password: PASSWORD, ...session };
}

let funder: Promise<{ token: string }> | undefined;

/** Sends whole ATH from a demo user. */
export async function fund({ uuid }: Account, athCount: number): Promise<void> {
  const [demo] = addresses.demoSignIns;
  if (demo === undefined) throw new Error('There are no demo sign-ins');
  const { email, password } = demo;
  funder ??= callApi('login', { body: { email, password, ...TENANT } });
  const amount = String(athCount * MICRO_PER_ATH);
  await callApi('transfer', {
    token: (await funder).token,
    body: { amount, to_uuid: uuid, asset: 'ATH' },
  });
}

/** The server's balance, in micro-units. */
export async function readBalance({ token }: Account): Promise<string> {
  return (await callApi('balance', { token })).balance;
}
