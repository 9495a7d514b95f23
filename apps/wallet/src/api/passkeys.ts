/**
 * The account's passkeys, and signing in with one. The prompt is the browser's, or in the packaged app the phone's, because a web view has no
 * passkeys of this site. Both take and give the JSON forms of WebAuthn, and reject if the user cancels, if there is no passkey, or if there
 * can be none.
 */
import { ApiError } from '@athos/client/errors';
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf, BodyOf } from '@athos/contract/api';
import { normalizePassword } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { phonePasskeys } from '../native/shell.ts';
import { isSignedIn, session } from '../state/session.ts';
import { client } from './http.ts';
import { actAs, showFailure } from './session.ts';

export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  /** Both are ISO 8601. */
  readonly addedAt: string;
  readonly usedAt: string | null;
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }): Promise<OwnPasskey[]> => {
    const { passkeys } = await client.call('passkeys', { signal });
    return passkeys.map(({ id, name, added_at: addedAt, used_at: usedAt }) => ({
      id,
      name,
      addedAt,
      usedAt,
    }));
  },
});

const refreshPasskeys = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

const ofBrowser = () => import('./browser-passkeys.ts');

export async function choosePasskey(
  options: AnswerOf<'passkeyOptions'>,
  isByAutofill: boolean,
): Promise<BodyOf<'signInByPasskey'>['passkey']> {
  const phone = phonePasskeys.get();
  return phone === undefined
    ? (await ofBrowser()).choosePasskey(options, isByAutofill)
    : phone.getCredential({ requestJson: JSON.stringify(options) });
}

async function makePasskey(
  options: AnswerOf<'beginPasskey'>,
): Promise<BodyOf<'registerPasskey'>['passkey']> {
  const phone = phonePasskeys.get();
  return phone === undefined
    ? (await ofBrowser()).makePasskey(options)
    : phone.createCredential({ requestJson: JSON.stringify(options) });
}

/** Whether passkeys can be offered in the e-mail field. The packaged app offers them with the button alone. */
export const canAutofill = async (): Promise<boolean> =>
  phonePasskeys.get() === undefined && (await ofBrowser()).canAutofill();

/** Cancels the browser's pending offer. */
export async function withdrawPasskeys(): Promise<void> {
  if (phonePasskeys.get() === undefined) (await ofBrowser()).withdrawPasskeys();
}

/** With autofill the user may never choose a passkey, so the attempt begins with the choice, and nothing is reported before. */
export async function signInWithPasskey({
  isByAutofill,
}: {
  readonly isByAutofill: boolean;
}): Promise<boolean> {
  if (isSignedIn()) return false;
  let show = isByAutofill ? undefined : toasts.attempt('signInByPasskey');
  try {
    const passkey = await choosePasskey(await client.call('passkeyOptions'), isByAutofill);
    show ??= toasts.attempt('signInByPasskey');
    session.begin(await client.call('signInByPasskey', { body: { passkey } }));
    return true;
  } catch (error) {
    if (show === undefined) return false;
    const isRefused = error instanceof ApiError && error.status !== 404;
    if (isRefused) showFailure(show, m.auth_passkey_failed(), error);
    else show('info', m.auth_passkey_declined(), 4000);
    return false;
  }
}

export interface OwnerProof {
  readonly password: string;
  /** The second-step code; `undefined` if signing in requires none. */
  readonly code: string | undefined;
}

const proofOf = ({ password, code }: OwnerProof) => ({
  password: normalizePassword(password),
  ...(code !== undefined && { code: code.trim() }),
});

export async function addPasskey(proof: OwnerProof): Promise<boolean> {
  const isAdded = await actAs(
    { who: 'member', name: 'beginPasskey', failureText: m.security_passkey_add_failed() },
    async () => {
      const passkey = await makePasskey(
        await client.call('beginPasskey', { body: proofOf(proof) }),
      );
      await client.call('registerPasskey', { body: { passkey } });
    },
  );
  if (isAdded) toasts.attempt('registerPasskey')('success', m.security_passkey_added(), 3000);
  await refreshPasskeys();
  return isAdded;
}

export async function renamePasskey(id: string, name: string): Promise<boolean> {
  const isRenamed = await actAs(
    { who: 'member', name: 'renamePasskey', failureText: m.security_passkey_rename_failed() },
    () => client.call('renamePasskey', { params: { id }, body: { name: name.trim() } }),
  );
  await refreshPasskeys();
  return isRenamed;
}

export async function endPasskey(id: string, proof: OwnerProof): Promise<boolean> {
  const isEnded = await actAs(
    { who: 'member', name: 'endPasskey', failureText: m.security_totp_end_failed() },
    () => client.call('endPasskey', { params: { id }, body: proofOf(proof) }),
  );
  if (isEnded) toasts.attempt('endPasskey')('success', m.security_passkey_ended(), 3000);
  await refreshPasskeys();
  return isEnded;
}
