/** Separate from `history.ts`, whose code is larger. */
import { useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Whether the account has no movement yet. True until it is known. */
export function useIsNewcomer(): boolean {
  const { data } = useQuery({
    queryKey: ['history', 'any'],
    queryFn: async ({ signal }) => {
      const { history } = await client.call('allHistory', { query: { limit: 1 }, signal });
      return history.length > 0;
    },
  });
  return data !== true;
}
