import { microAthFromHundredths, type AthHundredths } from '@athos/domain/money';
import {
  merchantAccountId,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type LedgerAccountId,
} from '../../../ledger/index.ts';
import type { RefusalWords } from '../../transfers/index.ts';

/** The account that receives the price of a line: a merchant's, or that of the programme's own shop. */
export const sellerAccountId = (merchantId: number | null): LedgerAccountId =>
  merchantId === null ? systemAccountId('merchant', 'ATH') : merchantAccountId(merchantId);

interface SoldLine {
  readonly total: AthHundredths;
  readonly merchantId: number | null;
}

/** The transfers of a purchase: one per cart line, to the account of its merchant. */
export const lineTransfers = (
  { userId, key }: { userId: bigint; key: string },
  lines: readonly SoldLine[],
): GroupTransferRequest[] =>
  lines.map(({ total, merchantId }, line) => ({
    debitAccountId: userAccountId(userId, 'ATH'),
    creditAccountId: sellerAccountId(merchantId),
    amountUnits: microAthFromHundredths(total),
    kind: TransferKind.Purchase,
    key,
    line,
  }));

/** The transfer of a tip: to the offer's beneficiary, or to the merchant account if it has none. */
export const tipTransfer = ({
  userId,
  beneficiaryUserId,
  amount,
  key,
}: {
  userId: bigint;
  beneficiaryUserId: bigint | null;
  amount: AthHundredths;
  key: string;
}): GroupTransferRequest => ({
  debitAccountId: userAccountId(userId, 'ATH'),
  creditAccountId:
    beneficiaryUserId === null
      ? systemAccountId('merchant', 'ATH')
      : userAccountId(beneficiaryUserId, 'ATH'),
  amountUnits: microAthFromHundredths(amount),
  kind: TransferKind.Tip,
  key,
  line: 0,
});

const refusals: RefusalWords['refusals'] = {
  insufficient: { advice: 'It costs more than your balance: buy ATH first.' },
  unknown_account: {
    code: 'offer_unavailable',
    advice: 'Its receiver has left: choose another offer.',
  },
  same_account: { advice: 'It would be paid to yourself.' },
  bad_amount: { advice: 'Choose a smaller amount.' },
  key_reused: { advice: 'Use a new key for what differs from the first request.' },
  blocked: { advice: 'Ask support why.' },
  held: { advice: 'Ask support why.' },
  receiver_held: {
    code: 'offer_unavailable',
    advice: 'Its receiver takes nothing at the moment: choose another offer.',
  },
};

export const PURCHASE_WORDS: RefusalWords = { nothing: 'Nothing was bought.', refusals };
export const TIP_WORDS: RefusalWords = { nothing: 'Nothing was sent.', refusals };
