import { mainToken } from '@athos/brand/brand';
import { formatAthExact, isShownRounded, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { tipAmount, type TipDraft } from '../../state/tip-draft.ts';

/** Why the tip cannot be sent; `undefined` where it can, or where its amount is missing, which is told when it is sent. */
export function tipReason(draft: TipDraft, balance: MicroAth | undefined): string | undefined {
  const amount = tipAmount(draft);
  if (amount === undefined) return undefined;
  // Decision "TokenUnits": a tip is whole hundredths.
  if (isShownRounded(amount)) return m.marketplace_tip_decimals();
  if (balance === undefined) return m.marketplace_reason_balance_unknown();
  if (amount <= balance) return undefined;
  return m.marketplace_reason_tip_balance({
    balance: formatAthExact(balance),
    symbol: mainToken.symbol,
  });
}
