/** The console's calls about debts after a dispute, and about fraud warnings of banks. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import { writeOffAction } from './card-money.actions.ts';
import {
  debtList,
  selectListedDebts,
  selectListedWarnings,
  warningList,
  type ListedDebt,
  type ListedWarning,
} from './dispute-lists.sql.ts';
import { afterOf, WHOLE_LIST } from './lists.sql.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { timeOf } from './present.ts';

const presentDebt = (row: ListedDebt) => ({
  id: row.id,
  dispute_id: row.dispute_id,
  payment_id: row.order_id,
  customer_uuid: row.customer_uuid,
  token_amount: row.amount_micro_ath.toString(),
  repaid_token_amount: row.repaid_micro_ath.toString(),
  written_off_token_amount: row.written_off_micro_ath.toString(),
  owed_token_amount: (
    row.amount_micro_ath -
    row.repaid_micro_ath -
    row.written_off_micro_ath
  ).toString(),
  created_at: row.created_at.toISOString(),
  closed_at: timeOf(row.closed_at),
});

const presentWarning = (row: ListedWarning) => ({
  id: row.id,
  payment_id: row.order_id,
  customer_uuid: row.customer_uuid,
  fraud_type: row.fraud_type,
  is_actionable: row.is_actionable,
  is_disputed: row.is_disputed,
  total_usd_cents: row.total_usd_cents.toString(),
  token_amount: row.amount_micro_ath.toString(),
  returned_token_amount: (row.returned_micro_ath - row.refunding_micro_ath).toString(),
  created_at: row.created_at.toISOString(),
});

export function registerDebts(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleDebts, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('debts', query);
    const [rows, total] = await Promise.all([
      selectListedDebts(db, query, { limit, after: afterOf(after) }),
      count ?? countRows(db, debtList(db, query)),
    ]);
    return listCursors.answer('debts', query, {
      rows,
      count: total,
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentDebt,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consoleDebt, async ({ params: { id } }) => {
    const [row] = await selectListedDebts(db, { id }, WHOLE_LIST);
    if (row === undefined) throw new AppError('not_found');
    return presentDebt(row);
  });

  consoleEndpoint(app, deps, consoleApi.writeOffDebt, ({ params, body, ...act }) => {
    const payload = { debt_id: params.id };
    return perform(deps, act, writeOffAction, { payload, reason: body.reason });
  });

  consoleEndpoint(app, deps, consoleApi.consoleWarnings, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('warnings', query);
    const [rows, total] = await Promise.all([
      selectListedWarnings(db, query, { limit, after: afterOf(after) }),
      count ?? countRows(db, warningList(db, query)),
    ]);
    return listCursors.answer('warnings', query, {
      rows,
      count: total,
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentWarning,
    });
  });
}
