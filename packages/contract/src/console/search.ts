/** The palette's search over everything. A group is present only if the caller may read its objects. */
import { z } from 'zod';
import { timeText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { customerSummary, searchText } from './customers.ts';

/** Results per group. The group's own screen shows the rest. */
export const SEARCH_GROUP_MAX = 5;

const searchAnswer = z
  .object({
    customers: z.array(customerSummary).optional(),
    /** Card orders, by their id or the provider's id of the payment. */
    orders: z
      .array(
        z.object({
          id: z.string(),
          provider_id: z.string().nullable(),
          state: z.string(),
          customer_uuid: z.string(),
          created_at: timeText,
        }),
      )
      .optional(),
    purchases: z
      .array(z.object({ id: z.string(), customer_uuid: z.string(), created_at: timeText }))
      .optional(),
    transfers: z.array(z.object({ id: z.string(), at: timeText })).optional(),
    offers: z.array(z.object({ id: z.int(), title: z.string() })).optional(),
  })
  .meta({ id: 'SearchAnswer' });

export const searchCalls = {
  search: {
    method: 'GET',
    path: '/admin/search',
    auth: 'console',
    permission: 'own',
    limit: 'search',
    summary: 'Customers, orders, purchases, movements and offers that match a text',
    query: z.object({ q: searchText }),
    answer: searchAnswer,
  },
} as const satisfies ConsoleCalls;
