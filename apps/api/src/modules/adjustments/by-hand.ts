/** Credits from goodwill, debits and the goodwill budget, each an action under a policy (decision 0022). */
import { z } from 'zod';
import { microAth, tokenUnits, usdOfTokens, type TokenAsset } from '@athos/domain/money';
import type { Action, ActionCall, ActionPreview } from '../../capability.ts';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type Ledger,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsers, selectUserByUuid } from '../identity/index.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { pay, type RefusalWords } from '../transfers/index.ts';

export interface ByHandDeps {
  readonly db: Db;
  readonly ledger: Ledger;
}

const units = z.string();
const aboutCustomer = z.object({ uuid: z.string(), amount: units });
type AboutCustomer = z.output<typeof aboutCustomer>;
const debiting = aboutCustomer.extend({ asset: z.enum(['ATH', 'ATH2', 'ATH3']) });
type Debiting = z.output<typeof debiting>;
const funding = z.object({ amount: units });
const WORDS: RefusalWords = {
  nothing: 'Nothing was moved.',
  refusals: {
    insufficient: { advice: 'The balance is too small.' },
    bad_amount: { advice: 'Choose a smaller amount.' },
    unknown_account: { code: 'not_found', advice: 'The account is closed.' },
    blocked: { advice: 'The account is restricted or closed.' },
    key_reused: {},
  },
};

/** Returns the customer, whose account must be open. */
async function requireCustomer(tx: Tx, uuid: string) {
  const user = await selectUserByUuid(tx, uuid);
  if (user === undefined || user.closed_at !== null) throw new AppError('not_found');
  return { userId: user.id, uuid: user.uuid, email: user.email };
}

/** Finds closed accounts too, so that a request about one can still end. */
async function lockCustomer(tx: Tx, uuid: string): Promise<void> {
  const user = await selectUserByUuid(tx, uuid);
  if (user === undefined) throw new AppError('not_found');
  await lockUsers(tx, [user.id]);
}

/** The current worth in US cents. Left out before the first rate is published, so that the amount counts as large. */
async function worthOf(tx: Tx, amount: bigint): Promise<Pick<ActionPreview, 'usdCents'>> {
  const rate = await selectCurrentRate(tx);
  return rate === undefined ? {} : { usdCents: usdOfTokens(microAth(amount), rate) };
}

const holdsAccount = (asset: TokenAsset): LedgerAccountId => systemAccountId('holds', asset);

interface Leg {
  readonly from: LedgerAccountId;
  readonly to: LedgerAccountId;
  readonly amount: bigint;
  readonly kind: GroupTransferRequest['kind'];
}

/** Posts one movement under the id of its request. */
async function move(
  { ledger }: ByHandDeps,
  tx: Tx,
  { id }: Pick<ActionCall<unknown>, 'id'>,
  { from, to, amount, kind }: Leg,
): Promise<void> {
  const transfer = { debitAccountId: from, creditAccountId: to, kind, key: id, line: 0 };
  await pay(tx, ledger, [{ ...transfer, amountUnits: tokenUnits(amount) }], WORDS);
}

const goodwill = systemAccountId('goodwill', 'ATH');

export const creditAction: Action<ByHandDeps, AboutCustomer> = {
  name: 'customer.credit',
  subjectType: 'customer',
  permission: 'customers.adjust',
  policy: 'creditPolicy',
  unit: 'ATH',
  payload: aboutCustomer,
  lock: (_deps, tx, { payload }) => lockCustomer(tx, payload.uuid),
  async preview(_deps, tx, { payload: { uuid, amount } }) {
    return {
      subjectId: uuid,
      version: 'open',
      customer: await requireCustomer(tx, uuid),
      amount: { asset: 'ATH', units: BigInt(amount) },
      measured: BigInt(amount),
      ...(await worthOf(tx, BigInt(amount))),
      before: null,
      after: { credit: amount },
    };
  },
  hold: (deps, tx, call) =>
    move(deps, tx, call, {
      from: goodwill,
      to: holdsAccount('ATH'),
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Hold,
    }),
  giveBack: (deps, tx, call) =>
    move(deps, tx, call, {
      from: holdsAccount('ATH'),
      to: goodwill,
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Release,
    }),
  async execute(deps, tx, call) {
    const { userId } = await requireCustomer(tx, call.payload.uuid);
    await move(deps, tx, call, {
      from: call.isHeld ? holdsAccount('ATH') : goodwill,
      to: userAccountId(userId, 'ATH'),
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Goodwill,
    });
  },
};

/** The customer's account in the debited asset. */
async function accountOf(tx: Tx, { uuid, asset }: Debiting): Promise<LedgerAccountId> {
  return userAccountId((await requireCustomer(tx, uuid)).userId, asset);
}

export const debitAction: Action<ByHandDeps, Debiting> = {
  name: 'customer.debit',
  subjectType: 'customer',
  permission: 'customers.adjust',
  policy: 'debitPolicy',
  unit: 'ATH',
  payload: debiting,
  isCustomersValueHeld: true,
  lock: (_deps, tx, { payload }) => lockCustomer(tx, payload.uuid),
  async preview(_deps, tx, { payload: { uuid, asset, amount } }) {
    return {
      subjectId: uuid,
      version: 'open',
      customer: await requireCustomer(tx, uuid),
      amount: { asset, units: BigInt(amount) },
      measured: BigInt(amount),
      ...(await worthOf(tx, BigInt(amount))),
      before: null,
      after: { debit: amount, asset },
    };
  },
  hold: async (deps, tx, call) =>
    move(deps, tx, call, {
      from: await accountOf(tx, call.payload),
      to: holdsAccount(call.payload.asset),
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Hold,
    }),
  giveBack: async (deps, tx, call) =>
    move(deps, tx, call, {
      from: holdsAccount(call.payload.asset),
      to: await accountOf(tx, call.payload),
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Release,
    }),
  async execute(deps, tx, call) {
    const { asset, amount } = call.payload;
    await move(deps, tx, call, {
      from: call.isHeld ? holdsAccount(asset) : await accountOf(tx, call.payload),
      to: systemAccountId('adjustments', asset),
      amount: BigInt(amount),
      kind: TransferKind.Adjustment,
    });
  },
};

const nothingToLock = (): Promise<void> => Promise.resolve();

export const fundGoodwillAction: Action<ByHandDeps, z.output<typeof funding>> = {
  name: 'goodwill.fund',
  subjectType: 'programme',
  permission: 'ledger.book',
  policy: 'goodwillBudgetPolicy',
  unit: 'ATH',
  payload: funding,
  lock: nothingToLock,
  preview: async (_deps, tx, { payload: { amount } }) => ({
    subjectId: 'goodwill',
    version: 'open',
    amount: { asset: 'ATH', units: BigInt(amount) },
    measured: BigInt(amount),
    ...(await worthOf(tx, BigInt(amount))),
    before: null,
    after: { issued: amount },
  }),
  execute: (deps, tx, call) =>
    move(deps, tx, call, {
      from: systemAccountId('issuance', 'ATH'),
      to: goodwill,
      amount: BigInt(call.payload.amount),
      kind: TransferKind.Goodwill,
    }),
};
