/**
 * A merchant's sales, refunds and payouts in a month. The statement begins with the balance in the ledger, and adds the counted movements
 * of the merchant's account, so its cost does not depend on the number of sales.
 */
import { merchantAccountId, selectBalancesBefore, TransferKind } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { selectMerchant } from '../merchants/index.ts';
import { countNumber, type DashboardDeps } from './dashboard.ts';
import { selectMonth, selectMovements, type MovementsOfDay } from './merchant-statement.sql.ts';

type Movement = Pick<MovementsOfDay, 'kind' | 'isCredit' | 'count' | 'units'>;

/** The change of the account's balance. */
const netOf = ({ isCredit, units }: Movement): bigint => (isCredit ? units : -units);

const isOf =
  (...kinds: readonly number[]) =>
  ({ kind }: Movement): boolean =>
    kinds.includes(kind);

/** The movements of a day or a month, and the balance at its end. */
function present(movements: readonly Movement[], balance: bigint) {
  const count = (kind: number): number =>
    countNumber(movements.filter(isOf(kind)).reduce((sum, one) => sum + one.count, 0n));
  const net = (...kinds: readonly number[]): bigint =>
    movements.filter(isOf(...kinds)).reduce((sum, one) => sum + netOf(one), 0n);
  return {
    sale_count: count(TransferKind.Purchase),
    sales: net(TransferKind.Purchase).toString(),
    refund_count: count(TransferKind.PurchaseRefund),
    refunds: (-net(TransferKind.PurchaseRefund)).toString(),
    settled: (-net(TransferKind.Settlement)).toString(),
    held: (-net(TransferKind.Hold, TransferKind.Release)).toString(),
    balance: balance.toString(),
  };
}

/** Throws `not_found`, `invalid_request` for a month that has not begun, and `overloaded` while the ledger's totals are behind. */
export async function readMerchantStatement(
  { db, clock, config }: DashboardDeps,
  { id, month }: { readonly id: number; readonly month: string },
) {
  const merchant = await selectMerchant(db, id);
  if (merchant === undefined) throw new AppError('not_found');
  const { timeZone } = config.console;
  const counted = await selectMonth(db, month, { timeZone, now: dateOf(clock) });
  if (!counted.isBegun) {
    throw new AppError('invalid_request', { detail: 'This month has not begun.' });
  }
  const accountId = merchantAccountId(id);
  const [balances, movements] = await Promise.all([
    selectBalancesBefore(db, counted.startsAt),
    selectMovements(db, accountId, month),
  ]);
  if (balances === undefined) {
    throw new AppError('overloaded', {
      detail: 'Totals of this month are still being added up. Ask again in some minutes.',
      retryAfterSeconds: 60,
    });
  }
  const opening: bigint = balances.programme.get(accountId) ?? 0n;
  let balance = opening;
  const days = [...Map.groupBy(movements, ({ day }) => day)].map(([day, ofDay]) => {
    balance += ofDay.reduce((sum, one) => sum + netOf(one), 0n);
    return { day, ...present(ofDay, balance) };
  });
  return {
    month,
    merchant: { id, name: merchant.name },
    opening: opening.toString(),
    total: present(movements, balance),
    days,
    counted_until: counted.countedUntil?.toISOString() ?? null,
  };
}
