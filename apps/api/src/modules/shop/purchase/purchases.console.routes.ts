import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import {
  selectTransfersByKeys,
  TransferKind,
  userAccountId,
  type JournalTransfer,
} from '../../../ledger/index.ts';
import {
  consoleEndpoint,
  type ConsoleDeps,
  type WriteInput,
} from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { SignedInStaff } from '../../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { idsBetween } from '../../../platform/database/ids-between.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import { selectUserByUuid } from '../../identity/index.ts';
import { selectVenueIds } from '../../staff/index.ts';
import {
  countPurchases,
  selectPurchases,
  selectRefunds,
  type PurchaseFilters,
  type PurchaseRow,
} from './purchase-list.sql.ts';
import { refundPurchaseAction, refundRedeemedAction, type RefundDeps } from './refund-purchase.ts';
import { selectLineItems, selectPurchase, type LineItem } from './refund.sql.ts';
import { readVoidable } from './voidable.ts';

type PurchaseConsoleDeps = ConsoleDeps &
  PerformDeps &
  RefundDeps & { readonly listCursors: ListCursors };

const unitsOfHundredths = (price: number): string =>
  microAthFromHundredths(athHundredths(price)).toString();

/** The total in smallest units, which is far below 2^53. */
const totalUnits = ({ totalAthHundredths: total }: { readonly totalAthHundredths: bigint }) =>
  unitsOfHundredths(parseInt(total.toString(), 10));

export interface PurchaseQuery {
  readonly id?: number | undefined;
  readonly customer_uuid?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const presentSummary = (row: PurchaseRow) => ({
  id: Number(row.id),
  customer_uuid: row.uuid,
  purchased_at: row.purchasedAt.toISOString(),
  total: totalUnits(row),
  open_count: row.counts.open,
  redeemed_count: row.counts.redeemed,
  refunded_count: row.counts.refunded,
  titles: row.titles,
});

/** The id of no row. */
const NOBODY = 0n;

export async function readPurchaseFilters(
  db: Db | Tx,
  { id, customer_uuid: uuid, from: fromText, to: toText }: PurchaseQuery,
): Promise<PurchaseFilters> {
  if (id !== undefined) return { id: BigInt(id) };
  const from = fromText === undefined ? undefined : new Date(fromText);
  const to = toText === undefined ? undefined : new Date(toText);
  const [{ first, past }, user] = await Promise.all([
    idsBetween(db, 'purchases', { from, to }),
    uuid === undefined ? undefined : selectUserByUuid(db, uuid),
  ]);
  const userId = uuid === undefined ? undefined : (user?.id ?? NOBODY);
  return { userId, from, to, firstId: first, pastId: past };
}

/** The venue where an item was redeemed. Staff who are bound to venues see only their own. */
function presentPlace(item: LineItem, boundVenueIds: readonly number[]) {
  const { redeemedVenueId: venueId, redeemedVenue, redemptionId } = item;
  const isSeen =
    venueId !== null && (boundVenueIds.length === 0 || boundVenueIds.includes(venueId));
  return {
    redeemed_venue: isSeen ? redeemedVenue : null,
    redemption_id: isSeen && redemptionId !== null ? Number(redemptionId) : null,
  };
}

function presentLines(items: readonly LineItem[], boundVenueIds: readonly number[]) {
  const lines = [...Map.groupBy(items, ({ line }) => line).values()];
  return lines.flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const { line, offerId, title, priceAthHundredths } = first;
    return {
      line,
      offer_id: offerId,
      title,
      price: unitsOfHundredths(priceAthHundredths),
      items: [first, ...rest].map((item) => ({
        id: Number(item.id),
        redeemed_at: item.redeemedAt?.toISOString() ?? null,
        ...presentPlace(item, boundVenueIds),
        voided_at: item.voidedAt?.toISOString() ?? null,
        reversed_count: item.reversedCount,
      })),
    };
  });
}

const countsOf = (items: readonly LineItem[]) => ({
  open_count: items.filter(({ redeemedAt, voidedAt }) => !redeemedAt && !voidedAt).length,
  redeemed_count: items.filter(({ redeemedAt, voidedAt }) => redeemedAt && !voidedAt).length,
  refunded_count: items.filter(({ voidedAt }) => voidedAt).length,
});

const presentTransfer = (transfer: JournalTransfer) => ({
  id: transfer.transferId.toString(),
  at: transfer.at.toISOString(),
  kind:
    transfer.kind === TransferKind.Purchase ? ('purchase' as const) : ('purchase_refund' as const),
  line: transfer.line,
  amount: transfer.amountUnits.toString(),
});

/**
 * Reads the payment under the key of the purchase, which other users may have used as well, and refunds under the keys of their requests.
 */
async function readTransfers(
  db: Db,
  { key, userId }: { readonly key: string; readonly userId: bigint },
  refundIds: readonly string[],
) {
  const accountId = userAccountId(userId, 'ATH');
  const found = await Promise.all(
    [key, ...refundIds].map((known) => selectTransfersByKeys(db, [known])),
  );
  const kinds: readonly number[] = [TransferKind.Purchase, TransferKind.PurchaseRefund];
  return found
    .flat()
    .filter(
      ({ kind, debitAccountId, creditAccountId }) =>
        kinds.includes(kind) && (debitAccountId === accountId || creditAccountId === accountId),
    )
    .map(presentTransfer);
}

async function readPurchase(db: Db, { staffId }: SignedInStaff, id: number) {
  const purchase = await selectPurchase(db, id);
  if (purchase === undefined) throw new AppError('not_found');
  const [items, refunds, boundVenueIds] = await Promise.all([
    selectLineItems(db, id),
    selectRefunds(db, { userId: purchase.userId, purchaseId: id }),
    selectVenueIds(db, staffId),
  ]);
  const executed = refunds.filter(({ state }) => state === 'executed');
  return {
    id,
    customer_uuid: purchase.uuid,
    is_customer_closed: purchase.closedAt !== null,
    purchased_at: purchase.purchasedAt.toISOString(),
    total: totalUnits(purchase),
    ...countsOf(items),
    lines: presentLines(items, boundVenueIds),
    transfers: await readTransfers(
      db,
      purchase,
      executed.map((refund) => refund.id),
    ),
    refunds: refunds.map((refund) => ({
      approval_id: refund.id,
      state: refund.state,
      is_of_redeemed: refund.action === refundRedeemedAction.name,
      amount: (refund.amountUnits ?? 0n).toString(),
      at: refund.at.toISOString(),
      by: { id: refund.staffId, name: refund.name },
      reason: refund.reason,
    })),
  };
}

/** The input of the refund action, from a call. */
const askedRefund = ({
  params,
  body,
}: Pick<WriteInput<(typeof consoleApi)['refundPurchase']>, 'params' | 'body'>) => ({
  payload: {
    purchaseId: params.id,
    lines: body.lines.map(({ line, item_count: itemCount }) => ({ line, itemCount })),
    isStockReturned: body.is_stock_returned,
  },
  reason: body.reason,
});

export function registerPurchaseConsole(app: FastifyInstance, deps: PurchaseConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.purchases, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('purchases', query);
    const filters = await readPurchaseFilters(db, query);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [rows, total] = await Promise.all([
      selectPurchases(db, filters, { limit, beforeId }),
      count ?? countPurchases(db, filters),
    ]);
    return listCursors.answer('purchases', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentSummary,
    });
  });

  consoleEndpoint(app, deps, consoleApi.voidable, ({ params: { id } }) => readVoidable(db, id));

  consoleEndpoint(app, deps, consoleApi.purchaseDetail, ({ params, staff }) =>
    readPurchase(db, staff, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.refundPurchase, (act) =>
    perform(deps, act, refundPurchaseAction, askedRefund(act)),
  );

  consoleEndpoint(app, deps, consoleApi.refundRedeemed, (act) =>
    perform(deps, act, refundRedeemedAction, askedRefund(act)),
  );
}
