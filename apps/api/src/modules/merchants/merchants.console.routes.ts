import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import {
  archiveMerchant,
  changeMerchant,
  createMerchant,
  presentMerchant,
  presentSummaries,
  type MerchantDeps,
} from './manage-merchants.ts';
import { countMerchants, selectMerchants } from './merchants.sql.ts';
import { settleAction, type SettleDeps } from './settle.ts';

export type MerchantConsoleDeps = ConsoleDeps &
  PerformDeps &
  MerchantDeps &
  SettleDeps & { readonly listCursors: ListCursors };

export function registerMerchantConsole(app: FastifyInstance, deps: MerchantConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.merchants, async ({ query, staff }) => {
    const { limit, after, count } = listCursors.readPage('merchants', query);
    const filters = { state: query.state };
    const rows = await selectMerchants(db, filters, { limit, afterName: after?.[0] });
    return listCursors.answer('merchants', query, {
      rows: await presentSummaries(db, staff, rows),
      count: count ?? (await countMerchants(db, filters)),
      positionOf: ({ name }) => [name],
      present: (row) => row,
    });
  });

  consoleEndpoint(app, deps, consoleApi.merchant, ({ params, staff }) =>
    presentMerchant(db, staff, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.createMerchant, (act) =>
    createMerchant(deps, act, act.body),
  );

  consoleEndpoint(app, deps, consoleApi.changeMerchant, (act) =>
    changeMerchant(act, act.params.id, act.body),
  );

  consoleEndpoint(app, deps, consoleApi.archiveMerchant, (act) =>
    archiveMerchant(deps, act, { id: act.params.id, isArchived: act.body.is_archived }),
  );

  consoleEndpoint(app, deps, consoleApi.settleMerchant, (act) => {
    const { amount, reason } = act.body;
    return perform(deps, act, settleAction, {
      payload: { merchantId: act.params.id, amount },
      reason,
    });
  });
}
