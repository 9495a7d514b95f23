/** What the owner of an account chose on this device, for this device alone. */
import { localStore } from '@athos/app-core/storage';

/** Whether tickets stay on the device after the "away" sign-out (decision 0059): they do by default. */
const TICKETS_WHEN_AWAY_KEY = 'tickets-when-away';
const REMOVED = 'removed';

/** Whether tickets stay on the phone after a sign-out for being away. */
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

/** For how long the user wants to undo sends; `undefined` leaves it to the programme. */
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
 * Has a passkey offered to whoever verified an account on this device (decision 0062). After "Not now" nobody is asked again, whichever
 * account is verified here.
 */
export function invitePasskey(userUuid: string): void {
  if (localStore.read(PASSKEY_KEY) !== DECLINED) localStore.write(PASSKEY_KEY, userUuid);
}

export const isPasskeyInvited = (userUuid: string): boolean =>
  localStore.read(PASSKEY_KEY) === userUuid;

export const declinePasskey = (): void => localStore.write(PASSKEY_KEY, DECLINED);
