import {
  exactAthText,
  parseAth,
  usdOfTokens,
  type Rate,
  type TokenAsset,
  type TokenUnits,
  type UsdCents,
} from '@athos/domain/money';
import { useBalances, type Balances } from '../../api/balance.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { amountFault, type AmountFault } from './amount-fault.ts';
import { useSendDraft } from '../../state/send-draft.ts';

export interface AmountStep {
  readonly asset: TokenAsset;
  /** The amount as typed. */
  readonly text: string;
  readonly isAll: boolean;
  /** `undefined` until the first response. */
  readonly balances: Balances | undefined;
  readonly balance: TokenUnits | undefined;
  /** `undefined` without an amount, or if the token has no rate. */
  readonly usd: UsdCents | undefined;
  readonly fault: AmountFault | undefined;
  type: (text: string) => void;
  /** Spec 4: takes the full raw balance, not the rounded one that is shown. */
  takeAll: () => void;
  chooseToken: (asset: TokenAsset) => void;
  /** Takes over an amount that was not typed here. Returns why it cannot be sent, which the amount step then shows. */
  take: (asset: TokenAsset, text: string) => AmountFault | undefined;
}

/** The value in USD; `undefined` for tokens other than ATH, which have no rate. */
function usdOf(text: string, asset: TokenAsset, usdPerAth: Rate): UsdCents | undefined {
  const amount = parseAth(text);
  return amount === undefined || asset !== 'ATH' ? undefined : usdOfTokens(amount, usdPerAth);
}

/** The amount step's view of the draft, with the functions that change it. */
export function useAmountStep(): AmountStep {
  const { draft, store } = useSendDraft();
  const { asset, paymentAmount: text } = draft;
  const balances = useBalances();
  const usdPerAth = useDisplayRate();
  const balance = balances?.[asset];

  function enter(next: { asset: TokenAsset; text: string; isAll: boolean }): void {
    store.change({
      asset: next.asset,
      paymentAmount: next.text,
      sendAll: next.isAll,
      usd: usdOf(next.text, next.asset, usdPerAth)?.toString() ?? '',
    });
  }

  return {
    asset,
    text,
    isAll: draft.sendAll,
    balances,
    balance,
    usd: usdOf(text, asset, usdPerAth),
    fault: amountFault(text, balance),
    type: (typed) => enter({ asset, text: typed, isAll: false }),
    takeAll() {
      if (balance !== undefined) enter({ asset, text: exactAthText(balance), isAll: true });
    },
    chooseToken(chosen) {
      // 'All' of one token does not carry over to another.
      enter({ asset: chosen, text: draft.sendAll ? '' : text, isAll: false });
    },
    take(taken, takenText) {
      enter({ asset: taken, text: takenText, isAll: false });
      return amountFault(takenText, balances?.[taken]);
    },
  };
}
