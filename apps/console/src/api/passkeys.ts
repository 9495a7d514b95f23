/** Passkeys in this browser. The passkey library is loaded at first use. */
import type { AdminAnswer, AdminInput } from './call.ts';

type UsedPasskey = AdminInput<'passkeySignIn'>['body']['passkey'];
type MadePasskey = AdminInput<'addPasskey'>['body']['passkey'];

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** Signs a challenge with a passkey of this person. Rejects with NotAllowedError if the prompt is dismissed. */
export async function usePasskey(
  options: AdminAnswer<'passkeySignInOptions'>,
): Promise<UsedPasskey> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return (await startAuthentication({ optionsJSON: options as never })) as unknown as UsedPasskey;
}

/** Creates a passkey for this person. Rejects with NotAllowedError if the prompt is dismissed. */
export async function makePasskey(options: AdminAnswer<'newPasskeyOptions'>): Promise<MadePasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return (await startRegistration({ optionsJSON: options as never })) as unknown as MadePasskey;
}
