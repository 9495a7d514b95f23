/** Choices that the owner of an account made on this device; they apply to this device only. */
import { localStore } from '@athos/app-core/storage';

/** Whether tickets stay on the device after a sign-out for inactivity (decision 0059). By default they do. */
const TICKETS_WHEN_AWAY_KEY = 'tickets-when-away';
const REMOVED = 'removed';

/** Whether tickets stay on the phone after a sign-out for inactivity. */
export const keepsTicketsWhenAway = (): boolean =>
  localStore.read(TICKETS_WHEN_AWAY_KEY) !== REMOVED;

export function keepTicketsWhenAway(isKept: boolean): void {
  if (isKept) localStore.remove(TICKETS_WHEN_AWAY_KEY);
  else localStore.write(TICKETS_WHEN_AWAY_KEY, REMOVED);
}

/** The choices of how long a send can be undone, in seconds (decision 0063). */
export const UNDO_CHOICES = [0, 5, 10, 30, 60] as const;
export type UndoSeconds = (typeof UNDO_CHOICES)[number];

const undoKey = (userUuid: string): string => `undo-seconds:${userUuid}`;

/** The user's choice of undo time in seconds; `undefined` leaves it to the programme. */
export function chosenUndoSeconds(userUuid: string): UndoSeconds | undefined {
  const stored = localStore.read(undoKey(userUuid));
  return UNDO_CHOICES.find((seconds) => String(seconds) === stored);
}

export function chooseUndoSeconds(userUuid: string, seconds: UndoSeconds | undefined): void {
  if (seconds === undefined) localStore.remove(undoKey(userUuid));
  else localStore.write(undoKey(userUuid), String(seconds));
}

const PASSKEY_KEY = 'passkey-invitation';
const DECLINED = 'declined';

/**
 * Offers a passkey to a user who has just verified their account on this device (decision 0062). After "Not now" it is never offered again
 * on this device, whichever account is verified.
 */
export function invitePasskey(userUuid: string): void {
  if (localStore.read(PASSKEY_KEY) !== DECLINED) localStore.write(PASSKEY_KEY, userUuid);
}

export const isPasskeyInvited = (userUuid: string): boolean =>
  localStore.read(PASSKEY_KEY) === userUuid;

export const declinePasskey = (): void => localStore.write(PASSKEY_KEY, DECLINED);
