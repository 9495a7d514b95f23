/** Refunds and paid orders for tests of card money. */
import { randomBytes } from 'node:crypto';
import { uuidv7 } from '@athos/domain/uuid';
import { microAth, type MicroAth } from '@athos/domain/money';
import { systemAccountId, type SystemAccount } from '../src/ledger/index.ts';
import { approveRefund, requestRefund } from '../src/modules/cards/index.ts';
import { beginOrder, payAndDeliver } from './card-purchase.ts';
import type { CardSandbox } from './card-sandbox.ts';
import type { TestApp, TestUser } from './test-app.ts';

export interface PaidOrder {
  readonly id: string;
  readonly intentId: string;
  readonly user: TestUser;
}

/** Buys 100 ATH for 18.68 USD, and waits until they are credited and the provider's fee is booked. */
export async function buyTokens(
  app: TestApp,
  sandbox: CardSandbox,
  {
    user,
    amount = microAth(100_000_000n),
    card = 'visa',
  }: { user?: TestUser; amount?: MicroAth; card?: string } = {},
): Promise<PaidOrder> {
  const buyer = user ?? (await app.createUser());
  const order = await beginOrder(app, buyer, amount);
  await payAndDeliver(sandbox, order, card);
  // The provider records its fee a second after the payment.
  await sandbox.control('/clock', { advance_ms: 1_000 });
  await sandbox.delivery('charge.updated', order.intentId);
  await app.runJobs();
  return { id: order.id, intentId: order.intentId, user: buyer };
}

interface RefundOptions {
  readonly amount?: MicroAth | 'all';
  readonly isAtCost?: boolean;
  readonly isApproved?: boolean;
}

/** Asks for a refund as the console does, and approves it. Returns its id. */
export async function refund(
  { deps, clock }: Pick<TestApp, 'deps' | 'clock'>,
  orderId: string,
  { amount = 'all', isAtCost = false, isApproved = true }: RefundOptions = {},
): Promise<string> {
  const refundId = uuidv7(clock.nowMs(), randomBytes16);
  await deps.db.transaction().execute(async (tx) => {
    await requestRefund(deps, tx, {
      refundId,
      orderId,
      amountMicroAth: amount,
      isAtCost,
      reason: 'The customer asked for it',
      requestedBy: null,
    });
    if (isApproved) await approveRefund(deps, tx, refundId);
  });
  return refundId;
}

function randomBytes16(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  bytes.set(randomBytes(bytes.length));
  return bytes;
}

export const readRefund = ({ deps }: Pick<TestApp, 'deps'>, refundId: string) =>
  deps.db
    .selectFrom('card_refunds')
    .selectAll()
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();

const USD_ACCOUNTS = [
  'card_provider',
  'token_sales',
  'programme_fee',
  'processing_fee',
  'provider_fees',
  'disputed',
  'dispute_fees',
  'chargeback_loss',
  'refund_cost',
  'bank',
  'suspense',
] as const satisfies readonly SystemAccount[];

/** The balances of the programme's accounts of card money, without those at 0. */
export async function readCardBooks({
  deps,
}: Pick<TestApp, 'deps'>): Promise<Partial<Record<(typeof USD_ACCOUNTS)[number], bigint>>> {
  const ids = USD_ACCOUNTS.map((name) => systemAccountId(name, 'USD'));
  const balances = await deps.ledger.balances(ids);
  return Object.fromEntries(
    USD_ACCOUNTS.flatMap((name, index) => {
      const id = ids[index];
      const balance = id === undefined ? undefined : balances.get(id);
      return balance === undefined || balance === 0n ? [] : [[name, balance as bigint]];
    }),
  );
}

/** Returns a function that says how the programme's accounts of card money have changed since this call. */
export async function watchCardBooks(
  app: Pick<TestApp, 'deps'>,
): Promise<() => Promise<Record<string, bigint>>> {
  const before: Record<string, bigint> = await readCardBooks(app);
  return async () => {
    const now: Record<string, bigint> = await readCardBooks(app);
    const names = new Set([...Object.keys(now), ...Object.keys(before)]);
    const changes = [...names].map((name) => [name, (now[name] ?? 0n) - (before[name] ?? 0n)]);
    return Object.fromEntries(changes.filter(([, change]) => change !== 0n));
  };
}

/** The provider's fee for an order of `buyTokens`, in US cents. */
export const FEE = 84n;

/** What an order of `buyTokens` books once its fee is known. */
export const PAID = {
  card_provider: -1_868n + FEE,
  token_sales: 1_683n,
  programme_fee: 84n,
  processing_fee: 101n,
  provider_fees: -FEE,
};

/** The movements in a customer's history, newest first: type, reason and amount. */
export async function readMovements(app: TestApp, user: TestUser): Promise<unknown[][]> {
  const { body } = await app.request({ method: 'GET', url: '/api/all_history', user });
  return (body.history as { type: string; data: Record<string, unknown> }[]).map(
    ({ type, data }) => [type, data['reason'], data['amount'] ?? data['token_amount']],
  );
}
