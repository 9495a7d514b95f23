/** The console's calls about card money. What needs the vote of others is in `card-money.actions.ts`. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import { explainByHand, matchByHand } from '../bookings/by-hand.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { isOrderDisputed } from '../disputes/disputes.sql.ts';
import {
  addEvidenceFile,
  lockDraft,
  requestAcceptance,
  requestSubmission,
  saveEvidence,
} from '../disputes/evidence.ts';
import { selectFiles } from '../disputes/evidence.sql.ts';
import { largestPart, totalOf } from '../orders/order-shares.ts';
import { selectOrder } from '../orders/orders.sql.ts';
import {
  selectLateBookings,
  selectLateTransactions,
} from '../reconciliation/reconciliation.sql.ts';
import { MATCH_WITHIN_MS } from '../reconciliation/totals.ts';
import { readRefundable } from '../refunds/refundable.ts';
import {
  dayList,
  disputeList,
  paymentList,
  refundList,
  selectBookings,
  selectDays,
  selectDebts,
  selectDisputes,
  selectPayment,
  selectPayments,
  selectRefunds,
  selectWarnings,
  type ListedDispute,
} from './lists.sql.ts';
import {
  bookingAction,
  refundAtCostAction,
  refundToCardAction,
  reviewAction,
  writeOffAction,
} from './card-money.actions.ts';
import {
  presentBooking,
  presentDispute,
  presentPayment,
  presentRefund,
  presentTransaction,
} from './present.ts';

export interface CardConsoleDeps extends DisputeDeps, ConsoleDeps {
  readonly config: DisputeDeps['config'] & ConsoleDeps['config'];
  readonly listCursors: ListCursors;
}

const UNMATCHED_MAX = 500;
const WHOLE = { limit: 1_000, after: undefined };

type After = readonly [string, string] | undefined;
const afterOf = (after: readonly string[] | undefined): After =>
  after === undefined ? undefined : [after[0] ?? '', after[1] ?? ''];

function registerRequests(app: FastifyInstance, deps: CardConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.refundPayment, ({ params, body, ...act }) => {
    const { token_amount, is_at_cost: isAtCost, reason } = body;
    const payload = { payment_id: params.id, ...(token_amount !== undefined && { token_amount }) };
    const action = isAtCost ? refundAtCostAction : refundToCardAction;
    return perform(deps, act, action, { payload, reason });
  });

  consoleEndpoint(app, deps, consoleApi.resolveReview, ({ params, body, ...act }) => {
    const payload = { payment_id: params.id, outcome: body.outcome };
    return perform(deps, act, reviewAction, { payload, reason: body.reason });
  });

  consoleEndpoint(app, deps, consoleApi.writeOffDebt, ({ params, body, ...act }) => {
    const payload = { debt_id: params.id };
    return perform(deps, act, writeOffAction, { payload, reason: body.reason });
  });

  consoleEndpoint(app, deps, consoleApi.bookMoney, ({ body: { reason, ...payload }, ...act }) =>
    perform(deps, act, bookingAction, { payload, reason }),
  );
}

export function registerCardConsole(app: FastifyInstance, deps: CardConsoleDeps): void {
  registerPayments(app, deps);
  registerDisputes(app, deps);
  registerEvidence(app, deps);
  registerReconciliation(app, deps);
  registerRequests(app, deps);
}

function registerPayments(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consolePayments, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('payments', query);
    return listCursors.answer('payments', query, {
      rows: await selectPayments(db, query, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, paymentList(db, query))),
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentPayment,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consolePayment, async ({ params: { id } }) => {
    const payment = await selectPayment(db, id);
    if (payment === undefined) throw new AppError('not_found');
    const [refunds, disputes, bookings, warnings] = await Promise.all([
      selectRefunds(db, { orderId: id }, WHOLE),
      selectDisputes(db, { orderId: id }, WHOLE),
      selectBookings(db, id),
      selectWarnings(db, id),
    ]);
    return {
      ...presentPayment(payment),
      intent_id: payment.intent_id,
      charge_id: payment.charge_id,
      refunds: refunds.map(presentRefund),
      disputes: disputes.map(presentDispute),
      bookings: bookings.map(presentBooking),
      warnings: warnings.map(({ id: warningId, fraud_type, is_actionable, created_at: at }) => ({
        id: warningId,
        fraud_type,
        is_actionable,
        created_at: at.toISOString(),
      })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.refundable, async ({ params: { id } }) => {
    const order = await selectOrder(db, id);
    if (order?.state !== 'credited') throw new AppError('not_found');
    const isDisputed = await isOrderDisputed(db, id);
    const facts = await readRefundable(deps, db, order);
    const largest = isDisputed ? undefined : largestPart(order, facts.amountMicroAth);
    return {
      not_returned_token_amount: facts.notReturnedMicroAth.toString(),
      low_water_token_amount: facts.lowWaterMicroAth?.toString() ?? null,
      is_disputed: isDisputed,
      largest:
        largest === undefined
          ? null
          : {
              token_amount: largest.amountMicroAth.toString(),
              price_usd_cents: largest.priceUsdCents.toString(),
              product_fee_usd_cents: largest.productFeeUsdCents.toString(),
              processing_fee_usd_cents: largest.processingFeeUsdCents.toString(),
              total_usd_cents: totalOf(largest).toString(),
            },
    };
  });

  consoleEndpoint(app, deps, consoleApi.consoleRefunds, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('refunds', query);
    return listCursors.answer('refunds', query, {
      rows: await selectRefunds(db, query, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, refundList(db, query))),
      positionOf: ({ id, created_at: at }) => [at.toISOString(), id],
      present: presentRefund,
    });
  });
}

async function presentCase({ db }: CardConsoleDeps, row: ListedDispute) {
  const [files, debts] = await Promise.all([selectFiles(db, row.id), selectDebts(db, row.id)]);
  return {
    ...presentDispute(row),
    version: row.version,
    evidence: row.evidence,
    evidence_failure: row.evidence_failure,
    submitted_at: row.submitted_at?.toISOString() ?? null,
    files: files.map(({ field, name, type, provider_file_id: theirId }) => ({
      field,
      name,
      type,
      is_sent: theirId !== null,
    })),
    debts: debts.map((debt) => ({
      id: debt.id,
      token_amount: debt.amount_micro_ath.toString(),
      repaid_token_amount: debt.repaid_micro_ath.toString(),
      written_off_token_amount: debt.written_off_micro_ath.toString(),
      closed_at: debt.closed_at?.toISOString() ?? null,
    })),
  };
}

function registerDisputes(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleDisputes, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('disputes', query);
    return listCursors.answer('disputes', query, {
      rows: await selectDisputes(db, query, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, disputeList(db, query))),
      positionOf: ({ id, opened_at: at }) => [at.toISOString(), id],
      present: presentDispute,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consoleDispute, async ({ params: { id } }) => {
    const [row] = await selectDisputes(db, { id }, WHOLE);
    if (row === undefined) throw new AppError('not_found');
    return presentCase(deps, row);
  });
}

function registerEvidence(app: FastifyInstance, deps: CardConsoleDeps): void {
  consoleEndpoint(
    app,
    deps,
    consoleApi.saveEvidence,
    async ({ tx, params, body, version, record }) => {
      const dispute = await lockDraft(tx, params.id);
      const [row] = await selectDisputes(tx, { id: params.id }, WHOLE);
      invariant(row !== undefined, 'a locked dispute is there');
      requireVersion(version, { ...presentDispute(row), version: row.version });
      await record({
        subjectId: dispute.id,
        before: { fields: Object.keys(dispute.evidence) },
        after: { fields: Object.keys(body.evidence) },
      });
      return { version: await saveEvidence(tx, dispute, body.evidence) };
    },
  );

  consoleEndpoint(app, deps, consoleApi.addEvidenceFile, async ({ tx, params, body, record }) => {
    const dispute = await lockDraft(tx, params.id);
    await record({ subjectId: dispute.id, after: { field: body.field, name: body.name } });
    const bytes = Buffer.from(body.base64, 'base64');
    await addEvidenceFile(tx, dispute, { field: body.field, name: body.name, bytes });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.submitEvidence, async ({ tx, params, record }) => {
    const dispute = await requestSubmission(deps, tx, params.id);
    await record({ subjectId: dispute.id, after: { fields: Object.keys(dispute.evidence) } });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.acceptDispute, async ({ tx, params, body, record }) => {
    const dispute = await requestAcceptance(tx, params.id);
    await record({ subjectId: dispute.id, after: { reason: body.reason } });
    return { outcome: 'done' };
  });
}

function registerReconciliation(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, clock, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.reconciliationDays, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('card days', query);
    return listCursors.answer('card days', query, {
      rows: await selectDays(db, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, dayList(db))),
      positionOf: ({ day_text: day }) => [day, day],
      present: (row) => ({
        day: row.day_text,
        provider_usd_cents: row.provider_usd_cents.toString(),
        nets_usd_cents: row.nets_usd_cents.toString(),
        clearing_usd_cents: row.clearing_usd_cents.toString(),
        in_flight_usd_cents: row.in_flight_usd_cents.toString(),
        is_agreed: row.is_agreed,
        checked_at: row.checked_at.toISOString(),
      }),
    });
  });

  consoleEndpoint(app, deps, consoleApi.unmatchedMoney, async () => {
    const late = new Date(clock.nowMs() - MATCH_WITHIN_MS);
    const [transactions, bookings] = await Promise.all([
      selectLateTransactions(db, late, UNMATCHED_MAX),
      selectLateBookings(db, late, UNMATCHED_MAX),
    ]);
    return {
      transactions: transactions.map(presentTransaction),
      bookings: bookings.map(presentBooking),
    };
  });

  consoleEndpoint(app, deps, consoleApi.matchMoney, async ({ tx, body, record }) => {
    const { transaction_id: transactionId, booking_id: bookingId } = body;
    await record({ subjectId: transactionId, after: { bookingId }, ledgerKey: bookingId });
    await matchByHand(deps, tx, { transactionId, bookingId, at: dateOf(clock) });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.explainMoney, async ({ tx, body, record }) => {
    const { transaction_id: transactionId, booking_id: bookingId, explanation } = body;
    const subjectId = transactionId ?? bookingId;
    if (subjectId === undefined) throw new AppError('invalid_request');
    await record({ subjectId, after: { explanation } });
    await explainByHand(tx, { transactionId, bookingId, explanation });
    return { outcome: 'done' };
  });
}
