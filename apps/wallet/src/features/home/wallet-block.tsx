import { brand, mainToken } from '@athos/brand/brand';
import { tiersPageUrl } from '@athos/brand/links';
import { microAth } from '@athos/domain/money';
import { currentTier } from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import { BalanceCard, cardActionClass } from '@athos/ui/money/balance';
import { Link } from '@athos/ui/primitives/link';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { TierBadge } from '@athos/ui/layout/tier-badge';
import CreditCard from 'lucide-react/icons/credit-card';
import Medal from 'lucide-react/icons/medal';
import Send from 'lucide-react/icons/send';
import { useBalances } from '../../api/balance.ts';
import { useShownBalance } from '../../api/shown-balance.ts';
import { useTiers } from '../../api/tiers.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';

/** The balance, its value in USD, the tier badge, and the links to send, buy and see the tiers (spec 2). */
export function WalletBlock() {
  return (
    <BalanceCard
      {...useShownBalance()}
      symbol={mainToken.symbol}
      badge={<CurrentTierBadge />}
      actions={<WalletLinks />}
    />
  );
}

/** Renders nothing until both the balance and the tiers are known. */
function CurrentTierBadge() {
  const balances = useBalances();
  const tiers = useTiers();
  if (balances === undefined || tiers === undefined) {
    return <Skeleton className="h-7.5 w-28" isRound />;
  }
  return <TierBadge tier={currentTier(tiers, microAth(balances.ATH))} to={paths.tiers} />;
}

function WalletLinks() {
  const userUuid = useUserUuid();
  return (
    <>
      <Link to={paths.send} className={cardActionClass}>
        <Send size={18} aria-hidden />
        {m.wallet_send()}
      </Link>
      <Link to={paths.buy} className={cardActionClass}>
        <CreditCard size={18} aria-hidden />
        {m.wallet_buy({ tokenWord: mainToken.word })}
      </Link>
      <a
        href={tiersPageUrl(brand, userUuid)}
        target="_blank"
        rel="noreferrer"
        className={cardActionClass}
      >
        <Medal size={18} aria-hidden />
        {m.wallet_tiers()}
        <span className="sr-only">{` (${m.common_opens_new_window()})`}</span>
      </a>
    </>
  );
}
