/** The venue where this device is used. Stored per member of staff, because two may share a device. */
import { openStored, type StoredValue } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';

export interface Venue {
  readonly id: number;
  readonly name: string;
}

const isVenue = (value: unknown): value is Venue =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'name' in value &&
  typeof value.name === 'string';

const venues = storesByName<StoredValue<Venue | undefined>>();

// Other tabs are not followed, because a change there must not interrupt a scan here.
const openVenue = (userUuid: string): StoredValue<Venue | undefined> =>
  openStored<Venue | undefined>({
    key: `scanner-venue:${userUuid}`,
    empty: undefined,
    parse: (stored) => (isVenue(stored) ? stored : undefined),
  });

/** The remembered venue; `undefined` without one. */
export const venueOf = (userUuid: string): StoredValue<Venue | undefined> =>
  venues.of(userUuid, openVenue);

export const chooseVenue = (userUuid: string, { id, name }: Venue): void =>
  venueOf(userUuid).change(() => ({ id, name }));

export const forgetVenue = (userUuid: string): void => venueOf(userUuid).change(() => undefined);

export const closeVenues = venues.closeAll;
