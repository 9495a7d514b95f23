/** Fetches the data for the screen of a category or an offer while the splash screen is shown. */
import { queryClient } from '@athos/app-core/query-client';
import { categoryQuery } from '../api/categories.ts';
import { addressId } from '../features/marketplace/address-id.ts';
import { paths } from './paths.ts';

/** Never fails: the screen fetches again what is missing and reports an error. */
export function prepareCategory(pathname: string): void {
  const [, , idText] = pathname.slice(paths.marketplace.length).split('/');
  const id = addressId(idText);
  if (id === undefined) return;
  void queryClient.prefetchQuery(categoryQuery(id));
}
