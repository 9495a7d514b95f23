/** The tiers of the programme. Staff change them rarely, so an opened screen fetches them at most once a minute. */
import type { AnswerOf } from '@athos/contract/api';
import { microAth, parseUnits, type MicroAth } from '@athos/domain/money';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface Tier {
  readonly id: number;
  readonly title: string;
  readonly amountMicroAth: MicroAth;
  readonly color: string;
  readonly note: string;
}

const readTier = (tier: AnswerOf<'tier'>): Tier => ({
  id: tier.id,
  title: tier.title,
  amountMicroAth: microAth(parseUnits(tier.amount)),
  color: tier.color,
  note: tier.note,
});

export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: async ({ signal }) => (await client.call('tiers', { signal })).tiers.map(readTier),
  staleTime: 60_000,
});

/** Returns all tiers; `undefined` until the first response. */
export const useTiers = (): readonly Tier[] | undefined => useQuery(tiersQuery).data;
