/** The venue where this device stands. Remembered for each member of staff, as two may share a device. */
import { localStore } from '@athos/app-core/storage';
import { createValue } from '@athos/app-core/value';

export interface Venue {
  readonly id: number;
  readonly name: string;
}

const keyOf = (userUuid: string): string => `scanner-venue:${userUuid}`;

export const venue = createValue<Venue | undefined>(undefined);

const isVenue = (value: unknown): value is Venue =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'name' in value &&
  typeof value.name === 'string';

/** Puts the remembered venue in place, or none. */
export function openVenue(userUuid: string): void {
  let stored: unknown;
  try {
    stored = JSON.parse(localStore.read(keyOf(userUuid)) ?? 'null');
  } catch {
    stored = undefined;
  }
  venue.set(isVenue(stored) ? stored : undefined);
}

export function chooseVenue(userUuid: string, { id, name }: Venue): void {
  localStore.write(keyOf(userUuid), JSON.stringify({ id, name }));
  venue.set({ id, name });
}

export function forgetVenue(userUuid: string): void {
  localStore.remove(keyOf(userUuid));
  venue.set(undefined);
}
