/**
 * Settling with a merchant: the balance of its account is paid out outside the system, and moves to `merchant_settled`. The value is held
 * from the request on, so that two requests cannot settle the same sales (decision 0035).
 */
import { z } from 'zod';
import { microAth, usdOfTokens } from '@athos/domain/money';
import type { Action, ActionCall } from '../../capability.ts';
import {
  merchantAccountId,
  systemAccountId,
  TransferKind,
  type GroupTransferRequest,
  type Ledger,
} from '../../ledger/index.ts';
import { AppError } from '../../platform/errors.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { pay, type RefusalWords } from '../transfers/index.ts';
import { lockMerchant, selectMerchant } from './merchants.sql.ts';

export interface SettleDeps {
  readonly ledger: Ledger;
}

const settlement = z.object({ merchantId: z.int(), amount: z.string() });
type Settlement = z.output<typeof settlement>;
type Call = ActionCall<Settlement>;

const WORDS: RefusalWords = {
  nothing: 'Nothing was settled.',
  refusals: {
    insufficient: { advice: 'The account of the merchant does not hold as much.' },
    bad_amount: { advice: 'Choose a smaller amount.' },
    key_reused: {},
  },
};

const holds = systemAccountId('holds', 'ATH');

/** A movement under the id of the request. The merchant's account pays twice under it, so the two movements have different lines. */
const movement = (
  { id, payload: { merchantId, amount } }: Pick<Call, 'id' | 'payload'>,
  what: 'hold' | 'release' | 'settle',
): GroupTransferRequest => {
  const merchant = merchantAccountId(merchantId);
  const { debitAccountId, creditAccountId, kind, line } = {
    hold: { debitAccountId: merchant, creditAccountId: holds, kind: TransferKind.Hold, line: 0 },
    release: {
      debitAccountId: holds,
      creditAccountId: merchant,
      kind: TransferKind.Release,
      line: 0,
    },
    settle: {
      debitAccountId: merchant,
      creditAccountId: systemAccountId('merchant_settled', 'ATH'),
      kind: TransferKind.Settlement,
      line: 1,
    },
  }[what];
  return {
    debitAccountId,
    creditAccountId,
    kind,
    line,
    key: id,
    amountUnits: microAth(BigInt(amount)),
  };
};

export const settleAction: Action<SettleDeps, Settlement> = {
  name: 'merchant.settle',
  subjectType: 'merchant',
  permission: 'ledger.book',
  policy: 'settlementPolicy',
  unit: 'ATH',
  payload: settlement,
  async lock(_deps, tx, { payload }) {
    if ((await lockMerchant(tx, payload.merchantId)) === undefined) throw new AppError('not_found');
  },
  async preview(_deps, tx, { payload: { merchantId, amount } }) {
    const merchant = await selectMerchant(tx, merchantId);
    if (merchant === undefined) throw new AppError('not_found');
    const units = BigInt(amount);
    const rate = await selectCurrentRate(tx);
    return {
      subjectId: `${merchantId}`,
      version: `${merchant.version}`,
      amount: { asset: 'ATH', units },
      measured: units,
      ...(rate !== undefined && { usdCents: usdOfTokens(microAth(units), rate) }),
      before: null,
      after: { merchant: merchant.name, settle: amount },
    };
  },
  async hold({ ledger }, tx, call) {
    // A refund of settled sales has lowered the floor. The lower floor must not allow a settlement.
    await ledger.restoreFloorInTx(tx, merchantAccountId(call.payload.merchantId));
    await pay(tx, ledger, [movement(call, 'hold')], WORDS);
  },
  async giveBack({ ledger }, tx, call) {
    await pay(tx, ledger, [movement(call, 'release')], WORDS);
  },
  async execute({ ledger }, tx, call) {
    // Posted through the merchant's account, so that its list shows the settlement and its time.
    const settle = movement(call, 'settle');
    await pay(tx, ledger, call.isHeld ? [movement(call, 'release'), settle] : [settle], WORDS);
  },
};
