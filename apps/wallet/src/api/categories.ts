/** The top-level categories of the marketplace. */
import type { AnswerOf } from '@athos/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';

export type Category = AnswerOf<'categories'>['categories'][number];

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await client.call('categories', { signal })).categories,
  staleTime: 60_000,
});
