/** The venues where the signed-in member of staff may redeem. */
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

export type VenueOfStaff = AnswerOf<'scannerVenues'>['venues'][number];

export const venuesQuery = queryOptions({
  queryKey: ['venues'],
  queryFn: async ({ signal }) => (await asStaff(client.call('scannerVenues', { signal }))).venues,
  staleTime: 60_000,
  // The screen that shows a failure must not fetch again merely because it appears.
  retryOnMount: false,
});
