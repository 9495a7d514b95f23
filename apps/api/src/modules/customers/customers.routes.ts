/** The console's reads about customers. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { CUSTOMERS_FOUND_MAX } from '@athos/contract/console/customers';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { may } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import { countUsers, selectFoundUser, selectUsers, type FoundUser } from '../identity/index.ts';
import { createCustomerTimeline, type TimelineDeps } from './customer-timelines.ts';
import { presentCustomer, presentSummaries, type PresentDeps } from './present-customer.ts';
import { findCustomers } from './search.ts';
import { readTimeline } from './timeline.ts';

/** The timeline is not counted, because its entries come from many tables. */
const NOT_COUNTED = { value: 0, is_at_least: true };

export interface CustomerDeps extends ConsoleDeps, PresentDeps, TimelineDeps {
  readonly listCursors: ListCursors;
}

async function findCustomer({ db }: CustomerDeps, uuid: string): Promise<FoundUser> {
  const user = await selectFoundUser(db, uuid);
  if (user === undefined) throw new AppError('not_found');
  return user;
}

export function registerCustomerRoutes(app: FastifyInstance, deps: CustomerDeps): void {
  const { db, listCursors } = deps;
  const sources = createCustomerTimeline(deps);

  consoleEndpoint(app, deps, consoleApi.customers, async ({ query, staff }) => {
    const { limit, after, count } = listCursors.readPage('customers', query);
    const { q, state, sort } = query;
    if (q !== undefined) {
      const mayContact = may(staff, 'customers.contact');
      const found = await findCustomers(deps, q, { mayContact });
      const shown = found
        .slice(0, CUSTOMERS_FOUND_MAX)
        .filter(
          ({ closedAt }) => state === undefined || (state === 'open') === (closedAt === null),
        );
      return {
        items: await presentSummaries(deps, shown),
        next_cursor: null,
        count: { value: shown.length, is_at_least: found.length > CUSTOMERS_FOUND_MAX },
      };
    }
    const [at, id] = after ?? [];
    const position = at === undefined || id === undefined ? undefined : { at, id };
    const [rows, total] = await Promise.all([
      selectUsers(db, query, { sort, limit, after: position }),
      count ?? countUsers(db, query),
    ]);
    const page = listCursors.answer('customers', query, {
      rows,
      count: total,
      positionOf: (user) => [user.position, user.id.toString()],
      present: (user) => user,
    });
    return { ...page, items: await presentSummaries(deps, page.items) };
  });

  consoleEndpoint(app, deps, consoleApi.customer, async ({ params, staff, found }) => {
    const user = await findCustomer(deps, params.uuid);
    found();
    return presentCustomer(deps, user, staff);
  });

  consoleEndpoint(app, deps, consoleApi.customerContact, async ({ params }) => {
    const { email } = await findCustomer(deps, params.uuid);
    return { email };
  });

  consoleEndpoint(app, deps, consoleApi.customerTimeline, async ({ params, query }) => {
    const { id: userId, uuid } = await findCustomer(deps, params.uuid);
    const list = `timeline ${uuid}`;
    const { limit, after: positions } = listCursors.readPage(list, query);
    const { kind } = query;
    const given = { userId, userUuid: uuid, kind, limit, positions };
    const { entries, next } = await readTimeline(db, sources, given);
    return listCursors.answer(list, query, {
      rows: entries,
      count: NOT_COUNTED,
      next,
      present: (entry) => entry,
    });
  });
}
