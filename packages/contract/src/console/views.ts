/** Saved views: the state of a list under a name, for the person who saved it. */
import { z } from 'zod';
import { uuidParam } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';

/** The limit per person, over all lists. */
export const VIEWS_MAX = 50;
const VIEW_NAME_LENGTH_MAX = 60;
const SEARCH_LENGTH_MAX = 2_000;

/** The address of the list in the console, without the state of the list. */
const listPath = z
  .string()
  .max(100)
  .regex(/^(\/[a-z0-9-]+){1,5}$/, 'must be the address of a list');

const name = z.string().trim().min(1, 'must not be empty').max(VIEW_NAME_LENGTH_MAX);

/** A search may name a customer, and would stay in the view after the account was erased. */
const isWithoutSearch = (search: string): boolean => !new URLSearchParams(search).has('q');

const savedView = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Filters, sort and columns, as in the address of the list. */
    search: z.string(),
  })
  .meta({ id: 'SavedView' });

export const viewCalls = {
  savedViews: {
    method: 'GET',
    path: '/admin/views',
    auth: 'console',
    permission: 'own',
    summary: "The caller's own views of a list, by name",
    query: z.object({ list: listPath }),
    answer: z.object({ items: z.array(savedView) }),
  },
  saveView: {
    method: 'POST',
    path: '/admin/views',
    auth: 'console',
    permission: 'own',
    audit: { action: 'view.save', subject: 'view' },
    summary: 'Save a view of a list for oneself; replaces the one of the same name',
    body: z
      .object({
        list: listPath,
        name,
        search: z
          .string()
          .max(SEARCH_LENGTH_MAX)
          .regex(/^[\x21-\x7e]*$/, 'must be the query of an address')
          .refine(isWithoutSearch, 'must not hold a search'),
      })
      .meta({ id: 'SaveView' }),
    answer: savedView,
  },
  removeView: {
    method: 'DELETE',
    path: '/admin/views/:id',
    auth: 'console',
    permission: 'own',
    audit: { action: 'view.remove', subject: 'view' },
    summary: 'Remove a view of oneself',
    params: uuidParam,
    answer: z.object({ success: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
