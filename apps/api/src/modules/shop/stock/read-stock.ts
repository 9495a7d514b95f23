/**
 * The stock of an offer with its moves. Sales write no moves, because a purchase takes too many locks already: the number sold between
 * two moves is the difference between the stock that the first left and the stock that the second found (decision 0029).
 */
import type { Db, Tx } from '../../../platform/database/database.ts';
import { selectMoves } from './stock.sql.ts';

const MOVES_SHOWN = 50;

const soldBetween = (left: number | null | undefined, found: number | null): number | null =>
  left === undefined || left === null || found === null ? null : left - found;

export async function readStock(
  db: Db | Tx,
  offer: {
    readonly id: number;
    readonly stock_left: number | null;
    readonly stock_alert_max: number | null;
  },
) {
  const moves = await selectMoves(db, offer.id, MOVES_SHOWN + 1);
  return {
    left: offer.stock_left,
    alert_max: offer.stock_alert_max,
    sold_since: soldBetween(moves[0]?.after, offer.stock_left),
    moves: moves.slice(0, MOVES_SHOWN).map((move, index) => ({
      id: move.id.toString(),
      kind: move.kind,
      before: move.before,
      after: move.after,
      sold_before: soldBetween(moves[index + 1]?.after, move.before),
      staff: { id: move.staff_id, name: move.staff_name },
      reason: move.reason,
      at: move.at.toISOString(),
    })),
  };
}
