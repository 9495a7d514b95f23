/** The account's authenticator app: whether there is one, and how it is added and removed. */
import { queryClient } from '@athos/app-core/query-client';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { actAs } from './session.ts';
import { sessionsQuery } from './sessions.ts';

export const secondStepQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: async ({ signal }) => {
    const wire = await client.call('secondStep', { signal });
    return {
      since: wire.totp_since,
      recoveryCodeCount: wire.recovery_codes_left,
      /** The end of the waiting period of a recovery, after which no code is required; null if none is running. */
      recoveryEndsAt: wire.recovery_ends_at,
    };
  },
});

export interface TotpSecret {
  readonly secret: string;
  /** The content of the QR code. */
  readonly address: string;
}

export async function beginTotp(givenPassword: string): Promise<TotpSecret | undefined> {
  const password = normalizePassword(givenPassword);
  let made: TotpSecret | undefined;
  await actAs(
    { who: 'member', name: 'beginAuthenticator', failureText: m.settings_delete_failed() },
    async () => {
      made = await client.call('beginAuthenticator', { body: { password } });
    },
  );
  return made;
}

/** Resolves to the recovery codes; `undefined` if it failed. */
export async function confirmTotp(code: string): Promise<readonly string[] | undefined> {
  let codes: readonly string[] | undefined;
  await actAs(
    { who: 'member', name: 'confirmAuthenticator', failureText: m.auth_second_step_failed() },
    async () => {
      codes = (await client.call('confirmAuthenticator', { body: { code } })).codes;
    },
  );
  return codes;
}

/** Resolves to the new recovery codes; `undefined` if it failed. */
export async function renewRecoveryCodes(given: {
  readonly password: string;
  readonly code: string;
}): Promise<readonly string[] | undefined> {
  const body = { password: normalizePassword(given.password), code: given.code.trim() };
  let codes: readonly string[] | undefined;
  await actAs(
    { who: 'member', name: 'renewRecoveryCodes', failureText: m.security_codes_failed() },
    async () => {
      codes = (await client.call('renewRecoveryCodes', { body })).codes;
    },
  );
  return codes;
}

export const endTotp = (given: { password: string; code: string }): Promise<boolean> =>
  actAs(
    { who: 'member', name: 'endAuthenticator', failureText: m.security_totp_end_failed() },
    () =>
      client.call('endAuthenticator', {
        body: { password: normalizePassword(given.password), code: given.code.trim() },
      }),
  );

/** Called after the app was added or removed, or its recovery codes were renewed. */
export async function refreshSecondStep(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: secondStepQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
}
