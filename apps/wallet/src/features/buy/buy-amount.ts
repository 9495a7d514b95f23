import {
  exactAthText,
  parseAth,
  TRANSFER_MICRO_MAX,
  usdCents,
  usdOfTokens,
  type MicroAth,
  type Rate,
  type UsdCents,
} from '@athos/domain/money';
import {
  brokenBuyLimit,
  buyAmountFor,
  priceOfTokens,
  tokensWorth,
  type BuyLimit,
} from '@athos/domain/purchase-price';

/** Spec 5: leading zeros are stripped; the one before a decimal point stays. */
export const stripLeadingZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** The prices of the chips, in US dollars without fees. The first is the default (spec 5). */
export const CHIP_DOLLARS = [10, 25, 50, 100] as const;
type ChipDollars = (typeof CHIP_DOLLARS)[number];

/**
 * The amount that the user wants to buy. Only a typed amount is fixed: the others follow the rate, so that a chosen price stays the same
 * and the amount does not fall below the minimum.
 */
export type Wish =
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'worth'; readonly dollars: ChipDollars }
  /** The amount that a purchase lacks. */
  | { readonly kind: 'missing'; readonly amount: MicroAth };

/** Spec 5: the ATH amount worth 10 USD. */
const DEFAULT_WISH: Wish = { kind: 'worth', dollars: 10 };

/** The wish in an address: the amount that a purchase lacks, otherwise the default. */
export function wishIn(search: string): Wish {
  const amount = parseAth(new URLSearchParams(search).get('amount') ?? '');
  return amount === undefined ? DEFAULT_WISH : { kind: 'missing', amount };
}

/** The text of the input: rounded up to 2 decimals unless typed. */
export function amountText(wish: Wish, usdPerAth: Rate): string {
  switch (wish.kind) {
    case 'typed':
      return wish.text;
    case 'worth':
      return exactAthText(tokensWorth(usdCents(BigInt(wish.dollars * 100)), usdPerAth));
    case 'missing':
      return exactAthText(buyAmountFor(wish.amount, usdPerAth));
  }
}

/** The price of a typed amount including fees; `undefined` if the amount cannot be bought. */
export function totalOfText(text: string, usdPerAth: Rate): UsdCents | undefined {
  const amount = parseAth(text);
  return amount === undefined || buyFault(text, usdPerAth) !== undefined
    ? undefined
    : priceOfTokens(amount, usdPerAth).totalUsdCents;
}

/** The price of a typed amount without fees; `undefined` if there is no amount. */
export function usdOfText(text: string, usdPerAth: Rate): UsdCents | undefined {
  const amount = parseAth(text);
  return amount === undefined ? undefined : usdOfTokens(amount, usdPerAth);
}

export type BuyFault = 'empty' | BuyLimit;

/** More than 12 digits before the decimal point, which `parseAth` rejects. */
const isTooLong = (text: string): boolean => parseAth(text) === undefined && /[1-9]/.test(text);

/** Why a typed amount cannot be bought. The limits apply to the price without fees (spec 5). */
export function buyFault(text: string, usdPerAth: Rate): BuyFault | undefined {
  if (isTooLong(text)) return 'above_maximum';
  const amount = parseAth(text);
  if (amount === undefined) return 'empty';
  // At a tiny rate, an allowed price could buy more tokens than one transfer may move.
  if (amount > TRANSFER_MICRO_MAX) return 'above_maximum';
  return brokenBuyLimit(usdOfTokens(amount, usdPerAth));
}
