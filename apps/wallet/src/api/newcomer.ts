/** Apart from `history.ts`, whose code home does not load. */
import { useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Whether nothing has ever moved in this account. True until it is known, and only asked for if `isEmpty`. */
export function useIsNewcomer(isEmpty: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['history', 'any'],
    queryFn: async ({ signal }) => {
      const { history } = await client.call('allHistory', { query: { limit: 1 }, signal });
      return history.length > 0;
    },
    enabled: isEmpty,
  });
  return data !== true;
}
