import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import { refundLineAction, type RefundLineDeps } from './refund-line.ts';
import { selectLineItems, selectPurchase } from './refund.sql.ts';

export function registerRefundRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps & PerformDeps & RefundLineDeps,
): void {
  consoleEndpoint(app, deps, consoleApi.purchaseDetail, async ({ params }) => {
    const purchase = await selectPurchase(deps.db, params.id);
    if (purchase === undefined) throw new AppError('not_found');
    const items = await selectLineItems(deps.db, params.id);
    const lines = [...Map.groupBy(items, ({ line }) => line).values()];
    return {
      id: params.id,
      customer_uuid: purchase.uuid,
      purchased_at: purchase.purchasedAt.toISOString(),
      lines: lines.flatMap(([first, ...rest]) => {
        if (first === undefined) return [];
        const { line, offerId, title, priceAthHundredths } = first;
        return {
          line,
          offer_id: offerId,
          title,
          price: microAthFromHundredths(athHundredths(priceAthHundredths)).toString(),
          items: [first, ...rest].map((item) => ({
            id: Number(item.id),
            redeemed_at: item.redeemedAt?.toISOString() ?? null,
            redeemed_venue: item.redeemedVenue,
            voided_at: item.voidedAt?.toISOString() ?? null,
          })),
        };
      }),
    };
  });

  consoleEndpoint(app, deps, consoleApi.refundPurchaseLine, (act) => {
    const { id: purchaseId, line } = act.params;
    const { reason, is_stock_returned: isStockReturned } = act.body;
    const payload = { purchaseId, line, isStockReturned };
    return perform(deps, act, refundLineAction, { payload, reason });
  });
}
