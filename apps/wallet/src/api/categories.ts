/** The marketplace: its top-level categories, and one category with its contents. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { pictureAddresses, type PictureAddresses } from '@athos/contract/pictures';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiOrigin } from '../state/settings.ts';
import { client } from './http.ts';
import { readOffer, type Offer } from './offer.ts';

type WireCategory = AnswerOf<'categories'>['categories'][number];
type CategoryFields = Omit<WireCategory, 'categories'>;

/** The part of a category that a link to it shows. */
export interface CategorySummary {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly image: PictureAddresses;
  readonly displayType: WireCategory['display_type'];
}

export interface Branch extends CategorySummary {
  readonly children: readonly CategorySummary[];
}

export interface Category extends Branch {
  /** `undefined` at the top level. */
  readonly parentId: number | undefined;
  readonly offers: readonly Offer[];
}

const readSummary = (wire: CategoryFields): CategorySummary => ({
  id: wire.id,
  title: wire.title,
  description: wire.description,
  image: pictureAddresses(wire.picture, wire.banner_url, apiOrigin()),
  displayType: wire.display_type,
});

const readBranch = (wire: WireCategory): Branch => ({
  ...readSummary(wire),
  children: wire.categories.map(readSummary),
});

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) =>
    (await client.call('categories', { signal })).categories.map(readBranch),
  staleTime: 60_000,
});

export interface CategoryHead {
  readonly title: string;
  readonly parentId: number | undefined;
}

function headIn(branches: readonly Branch[], id: number): CategoryHead | undefined {
  for (const { id: branchId, title, children } of branches) {
    if (branchId === id) return { title, parentId: undefined };
    const child = children.find((one) => one.id === id);
    if (child !== undefined) return { title: child.title, parentId: branchId };
  }
  return undefined;
}

/** Taken from the marketplace's list, so a category's screen has a title before the category is loaded. */
export function useCategoryHead(id: number): CategoryHead | undefined {
  const { data: branches } = useQuery(categoriesQuery);
  return branches === undefined ? undefined : headIn(branches, id);
}

const CATEGORY_KEY = 'category';

/**
 * Spec 4: a category is loaded again only when its id changes, and is empty while it loads. So the last one is kept,
 * even while other screens are open, until another one replaces it.
 */
export const categoryQuery = (id: number) =>
  queryOptions({
    queryKey: [CATEGORY_KEY, id],
    queryFn: async ({ signal }): Promise<Category> => {
      queryClient.removeQueries({
        predicate: ({ queryKey }) => queryKey[0] === CATEGORY_KEY && queryKey[1] !== id,
        type: 'inactive',
      });
      const wire = await client.call('category', { params: { id }, signal });
      return {
        ...readBranch(wire),
        parentId: wire.parent_id ?? undefined,
        offers: wire.offers.map(readOffer),
      };
    },
    staleTime: Infinity,
    gcTime: Infinity,
  });
