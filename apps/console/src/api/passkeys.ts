/** Passkeys in this browser. The code for them is loaded with the first use. */
import type { AdminAnswer, AdminInput } from './call.ts';

type UsedPasskey = AdminInput<'passkeySignIn'>['body']['passkey'];
type MadePasskey = AdminInput<'addPasskey'>['body']['passkey'];

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** Signs a challenge with a passkey of this person. Rejects with NotAllowedError if they decline. */
export async function usePasskey(
  options: AdminAnswer<'passkeySignInOptions'>,
): Promise<UsedPasskey> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return (await startAuthentication({ optionsJSON: options as never })) as unknown as UsedPasskey;
}

/** Makes a passkey for this person. Rejects with NotAllowedError if they decline. */
export async function makePasskey(options: AdminAnswer<'newPasskeyOptions'>): Promise<MadePasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return (await startRegistration({ optionsJSON: options as never })) as unknown as MadePasskey;
}
