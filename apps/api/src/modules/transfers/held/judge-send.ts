/** Judges a send by the sender's earlier sends, to decide how long it can be undone (decision 0063). */
import { microAth, TOKEN_ASSETS, tokenUnits, usdOfTokens } from '@athos/domain/money';
import type { TokenAsset, TokenUnits } from '@athos/domain/money';
import { isSmallSend, isUnusualSend } from '@athos/domain/usual-send';
import { assetOfAccount, TransferKind, userAccountId, type Ledger } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { selectCurrentRate } from '../../rate/index.ts';
import { selectKnown } from './send-pairs.sql.ts';
import { selectHeldOfTransfers } from './transfer-rows.ts';

export interface JudgeDeps {
  readonly db: Db;
  readonly ledger: Pick<Ledger, 'walkHistory'>;
}

export interface JudgedSend {
  readonly senderId: bigint;
  readonly recipientUuid: string;
  readonly asset: TokenAsset;
  readonly amountUnits: TokenUnits;
}

export interface Judgement {
  /**
   * Whether no send to this receiver has arrived. That is also true of every look-alike, since it resembles a known address without being
   * one.
   */
  readonly isFirstTime: boolean;
  /** Whether the send gets the longer time to undo. */
  readonly isWarned: boolean;
}

/** Enough sends to show which amounts are usual. The wallet compares with the same number. */
const LAST_SENDS = 20;

/** The amounts of the last sends in a token, except those that came back. */
async function selectLastSends(
  { db, ledger }: JudgeDeps,
  { senderId, asset }: JudgedSend,
): Promise<TokenUnits[]> {
  const { transfers } = await ledger.walkHistory({
    accountIds: TOKEN_ASSETS.map((token) => userAccountId(senderId, token)),
    limit: LAST_SENDS,
    kinds: { paid: [TransferKind.Send, TransferKind.SendHeld], received: [] },
  });
  const held = await selectHeldOfTransfers(db, transfers);
  return transfers.flatMap(({ transferId, debitAccountId, amountUnits }) => {
    const state = held.get(transferId)?.state;
    const isBack = state === 'taken_back' || state === 'returned';
    return isBack || assetOfAccount(debitAccountId) !== asset ? [] : [tokenUnits(amountUnits)];
  });
}

/** Whether the amount is unusual. Only ATH has a rate. The journal is read only for amounts above a value that few sends have. */
async function isUnusual(deps: JudgeDeps, send: JudgedSend): Promise<boolean> {
  if (send.asset !== 'ATH') return false;
  const rate = await selectCurrentRate(deps.db);
  const usd = rate && usdOfTokens(microAth(send.amountUnits), rate);
  if (isSmallSend(usd)) return false;
  return isUnusualSend({ amount: send.amountUnits, usd }, await selectLastSends(deps, send));
}

/** `isWarnedAlready` means that the caller has already warned of the send, perhaps for reasons that the server does not know. */
export async function judgeSend(
  deps: JudgeDeps,
  send: JudgedSend,
  isWarnedAlready: boolean,
): Promise<Judgement> {
  const { isKnown } = await selectKnown(deps.db, send.senderId, send.recipientUuid);
  const isWarned = isWarnedAlready || !isKnown || (await isUnusual(deps, send));
  return { isFirstTime: !isKnown, isWarned };
}
