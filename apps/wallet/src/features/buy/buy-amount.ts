import {
  exactAthText,
  parseAth,
  TRANSFER_MICRO_MAX,
  usdOfTokens,
  type Rate,
  type UsdCents,
} from '@athos/domain/money';
import { brokenBuyLimit, defaultBuyAmount, type BuyLimit } from '@athos/domain/purchase-price';

/** Spec 5: leading zeros are stripped; the one before a decimal point stays. */
export const stripLeadingZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** Spec 5: the ATH amount worth 10 USD, rounded up to 2 decimals, as the text of the input. */
export const defaultAmountText = (usdPerAth: Rate): string =>
  exactAthText(defaultBuyAmount(usdPerAth));

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
