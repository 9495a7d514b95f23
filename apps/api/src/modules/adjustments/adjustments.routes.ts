import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import { creditAction, debitAction, fundGoodwillAction, type ByHandDeps } from './by-hand.ts';

export function registerAdjustmentRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps & PerformDeps & ByHandDeps,
): void {
  consoleEndpoint(app, deps, consoleApi.creditCustomer, (act) => {
    const { reason, amount } = act.body;
    return perform(deps, act, creditAction, { payload: { ...act.params, amount }, reason });
  });

  consoleEndpoint(app, deps, consoleApi.debitCustomer, (act) => {
    const { reason, ...body } = act.body;
    return perform(deps, act, debitAction, { payload: { ...act.params, ...body }, reason });
  });

  consoleEndpoint(app, deps, consoleApi.fundGoodwill, (act) => {
    const { reason, ...payload } = act.body;
    return perform(deps, act, fundGoodwillAction, { payload, reason });
  });
}
