/** Amounts as operators read them: exact, in tabular figures, with the unit small. */
import { brand } from '@athos/brand/brand';
import { formatAthExact, formatUsd, tokenUnits, usdCents, type Asset } from '@athos/domain/money';
import { classNames } from '@athos/ui/primitives/class-names';

interface MoneyProps {
  /** In the smallest unit of the asset, as on the wire. */
  units: string;
  asset: Asset;
  /** Shows a plus sign before an incoming amount. */
  isMovement?: boolean;
  /** Shows a negative amount in red, because a customer owes it. */
  isDebtRed?: boolean;
}

const unitOf = (asset: Asset): string =>
  brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;

/** The digits of an amount without sign and unit, and its sign. */
function figuresOf(text: string, asset: Asset): { sign: string; figures: string } {
  const isNegative = text.startsWith('-');
  const magnitude = BigInt(isNegative ? text.slice(1) : text);
  const figures =
    asset === 'USD'
      ? formatUsd(usdCents(magnitude)).replace('$', '')
      : formatAthExact(tokenUnits(magnitude));
  return { sign: isNegative ? '−' : '', figures };
}

/** The whole amount as one text, for sentences: `−12.50 ATH`. */
export function moneyText(units: string, asset: Asset): string {
  const { sign, figures } = figuresOf(units, asset);
  return `${sign}${figures} ${unitOf(asset)}`;
}

export function Money({ units, asset, isMovement, isDebtRed }: MoneyProps) {
  const { sign, figures } = figuresOf(units, asset);
  const isPlus = isMovement === true && sign === '' && units !== '0';
  return (
    <span
      className={classNames(
        'tabular @min-[22rem]/list:whitespace-nowrap break-words',
        sign !== '' && isDebtRed && 'text-danger',
      )}
    >
      {isPlus ? '+' : sign}
      {figures}
      <span className="text-ink-quiet text-[0.75em]"> {unitOf(asset)}</span>
    </span>
  );
}
