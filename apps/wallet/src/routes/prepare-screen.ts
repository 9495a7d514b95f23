/** Fetches the data for the screen of a category or an offer while the splash screen is shown. */
import { queryClient } from '@athos/app-core/query-client';
import { categoryQuery } from '../api/categories.ts';
import { offerQuery } from '../api/offers.ts';
import { addressId } from '../features/marketplace/address-id.ts';
import { paths } from './paths.ts';

/** Never fails: the screen fetches again what is missing and reports an error. */
export function prepareScreen(pathname: string): void {
  const [, , categoryText, , offerText] = pathname.slice(paths.marketplace.length).split('/');
  const categoryId = addressId(categoryText);
  const offerId = addressId(offerText);
  if (offerId !== undefined) void queryClient.prefetchQuery(offerQuery(offerId));
  else if (categoryId !== undefined) void queryClient.prefetchQuery(categoryQuery(categoryId));
}
