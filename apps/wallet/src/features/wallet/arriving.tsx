import { formatAthRoundedUp, NO_UNITS, TOKEN_ASSETS } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { useHolds } from '../../api/holds.ts';

/** What others have sent and may still take back. It is in no balance. */
export function Arriving() {
  const arriving = useHolds()?.arriving;
  const assets = TOKEN_ASSETS.filter((asset) => (arriving?.[asset] ?? NO_UNITS) > NO_UNITS);
  return (
    <div role="status" className="text-caption tabular font-semibold">
      {assets.map((asset) => (
        <p key={asset}>
          {m.wallet_arriving({
            amount: formatAthRoundedUp(arriving?.[asset] ?? NO_UNITS),
            symbol: tokenBrand(asset).symbol,
          })}
        </p>
      ))}
    </div>
  );
}
