/** The venues where the signed-in member of staff may redeem. */
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { endIfNotStaff } from './staff.ts';

export type VenueOfStaff = AnswerOf<'scannerVenues'>['venues'][number];

export const venuesQuery = queryOptions({
  queryKey: ['venues'],
  queryFn: async ({ signal }) => {
    try {
      return (await client.call('scannerVenues', { signal })).venues;
    } catch (error) {
      endIfNotStaff(error);
      throw error;
    }
  },
  staleTime: 60_000,
  // The screen that tells of a failure must not ask again by appearing.
  retryOnMount: false,
});
