/** The browser's prompt for a passkey. Loaded at first use, because of its library. */
import type { AnswerOf, BodyOf } from '@athos/contract/api';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';

export async function choosePasskey(
  options: AnswerOf<'passkeyOptions'>,
  useBrowserAutofill: boolean,
): Promise<BodyOf<'signInByPasskey'>['passkey']> {
  return (await startAuthentication({
    optionsJSON: options as never,
    useBrowserAutofill,
  })) as never;
}

export async function makePasskey(
  options: AnswerOf<'beginPasskey'>,
): Promise<BodyOf<'registerPasskey'>['passkey']> {
  return (await startRegistration({ optionsJSON: options as never })) as never;
}

/** Whether the browser can offer passkeys in the e-mail field. */
export const canAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Cancels the browser's pending offer. */
export const withdrawPasskeys = (): void => WebAuthnAbortService.cancelCeremony();
