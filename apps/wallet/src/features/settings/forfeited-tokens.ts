import {
  formatAthExact,
  TOKEN_ASSETS,
  type TokenAsset,
  type TokenUnits,
} from '@athos/domain/money';
import { tokenBrand } from '@athos/ui/money/token-icon';

interface ForfeitedToken {
  readonly name: string;
  /** The exact amount, such as `1,234.56789 ATH`. */
  readonly text: string;
}

/** The tokens with a positive balance. */
export const forfeitedTokens = (
  balances: Readonly<Record<TokenAsset, TokenUnits>>,
): readonly ForfeitedToken[] =>
  TOKEN_ASSETS.filter((code) => balances[code] > 0n).map((code) => {
    const { name, symbol } = tokenBrand(code);
    return { name, text: `${formatAthExact(balances[code])} ${symbol}` };
  });

/** For example `1,234.56789 ATH and 5.00 ATH2`; `undefined` if nothing is forfeited. */
export function forfeitedText(
  balances: Readonly<Record<TokenAsset, TokenUnits>>,
): string | undefined {
  const texts = forfeitedTokens(balances).map(({ text }) => text);
  return texts.length === 0 ? undefined : new Intl.ListFormat('en').format(texts);
}
