/**
 * Whether this page runs in the packaged app. This file adds a few bytes to the web's start; all other native code is
 * loaded only in the app.
 */

import { createValue } from '@athos/app-core/value';
import type { BodyOf } from '@athos/contract/api';

/** The object that the app injects before the page's first script. */
interface Bridge {
  readonly isNativePlatform?: () => boolean;
}

export const isInShell = (): boolean =>
  (globalThis as { Capacitor?: Bridge }).Capacitor?.isNativePlatform?.() ?? false;

/** The phone's prompt for a passkey. It takes the options of WebAuthn as JSON text, and rejects if there is no passkey to give. */
export interface PhonePasskeys {
  readonly createCredential: (options: {
    requestJson: string;
  }) => Promise<BodyOf<'registerPasskey'>['passkey']>;
  readonly getCredential: (options: {
    requestJson: string;
  }) => Promise<BodyOf<'signInByPasskey'>['passkey']>;
}

/** Set at the start of the packaged app if the phone has passkeys; never on the web. */
export const phonePasskeys = createValue<PhonePasskeys | undefined>(undefined);
