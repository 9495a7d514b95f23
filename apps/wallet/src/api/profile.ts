/** The signed-in user's own account. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** The e-mail address; `undefined` until it is loaded. It never changes while the user is signed in. */
export const useOwnEmail = (): string | undefined =>
  useQuery(
    queryOptions({
      queryKey: ['profile'],
      queryFn: ({ signal }) => client.call('profile', { signal }),
      staleTime: Infinity,
    }),
  ).data?.email;
