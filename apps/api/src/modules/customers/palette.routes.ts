/** The search of the palette: the objects that match a text, in groups that each need their own permission. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { SEARCH_GROUP_MAX } from '@athos/contract/console/search';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { may } from '../../platform/console/signed-in-staff.ts';
import { findOrder } from '../cards/index.ts';
import { selectUserUuids } from '../identity/index.ts';
import { selectFoundOffers, selectPurchaseOwner } from '../shop/index.ts';
import { presentSummaries, type PresentDeps } from './present-customer.ts';
import { findCustomers } from './search.ts';

type PaletteDeps = ConsoleDeps & PresentDeps;

/** A number that can be the id of a row; `undefined` for any other text. */
const rowIdOf = (text: string): bigint | undefined =>
  /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;

async function findOrders({ db }: PaletteDeps, q: string) {
  const order = await findOrder(db, q);
  if (order === undefined) return [];
  const uuids = await selectUserUuids(db, [order.userId]);
  return [
    {
      id: order.id,
      provider_id: order.intentId,
      state: order.state,
      customer_uuid: uuids.get(order.userId) ?? '',
      created_at: order.createdAt.toISOString(),
    },
  ];
}

async function findPurchases({ db }: PaletteDeps, q: string) {
  const id = rowIdOf(q);
  const purchase = id === undefined ? undefined : await selectPurchaseOwner(db, id);
  if (purchase === undefined) return [];
  const uuids = await selectUserUuids(db, [purchase.userId]);
  return [
    {
      id: String(id),
      customer_uuid: uuids.get(purchase.userId) ?? '',
      created_at: purchase.createdAt.toISOString(),
    },
  ];
}

async function findTransfers({ ledger }: PaletteDeps, q: string) {
  const id = rowIdOf(q);
  const transfer = id === undefined ? undefined : await ledger.transferById(id);
  if (transfer === undefined) return [];
  return [{ id: transfer.transferId.toString(), at: transfer.at.toISOString() }];
}

export function registerPaletteRoutes(app: FastifyInstance, deps: PaletteDeps): void {
  consoleEndpoint(app, deps, consoleApi.search, async ({ query: { q }, staff }) => {
    const group = async <Name extends string, Found>(
      name: Name,
      isPermitted: boolean,
      find: () => Promise<Found>,
    ) => (isPermitted ? ({ [name]: await find() } as Record<Name, Found>) : {});
    const mayContact = may(staff, 'customers.contact');
    const groups = await Promise.all([
      group('customers', may(staff, 'customers.read'), async () => {
        const found = await findCustomers(deps, q, { mayContact });
        return presentSummaries(deps, found.slice(0, SEARCH_GROUP_MAX));
      }),
      group('orders', may(staff, 'payments.read'), () => findOrders(deps, q)),
      group('purchases', may(staff, 'purchases.read'), () => findPurchases(deps, q)),
      group('transfers', may(staff, 'ledger.read'), () => findTransfers(deps, q)),
      group('offers', may(staff, 'catalogue.read'), () =>
        selectFoundOffers(deps.db, q, SEARCH_GROUP_MAX),
      ),
    ]);
    return Object.assign({}, ...groups) as Awaited<(typeof groups)[0]>;
  });
}
