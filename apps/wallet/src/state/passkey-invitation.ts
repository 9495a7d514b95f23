/** Whether the wallet still offers a passkey: once, to whoever verified an account on this device (decision 0062). */
import { localStore } from '@athos/app-core/storage';

const KEY = 'passkey-invitation';
const DECLINED = 'declined';

/** Whoever said "Not now" on this device is not asked again, whichever account is verified there. */
export function invitePasskey(userUuid: string): void {
  if (localStore.read(KEY) !== DECLINED) localStore.write(KEY, userUuid);
}

export const isPasskeyInvited = (userUuid: string): boolean => localStore.read(KEY) === userUuid;

export const declinePasskey = (): void => localStore.write(KEY, DECLINED);
