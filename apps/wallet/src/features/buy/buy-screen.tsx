import { brand, mainToken } from '@athos/brand/brand';
import { tiersPageUrl } from '@athos/brand/links';
import { microAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { BalanceCard } from '@athos/ui/money/balance';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { TierPanel } from '@athos/ui/layout/tier-panel';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { useBalances } from '../../api/balance.ts';
import { useShownBalance } from '../../api/shown-balance.ts';
import { tiersQuery } from '../../api/tiers.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { AmountForm } from './amount-form.tsx';
import { wishIn } from './buy-amount.ts';
import { BuyModals } from './buy-modals.tsx';
import { PendingNotices } from './pending-notices.tsx';
import { useBuy } from './use-buy.ts';

/** Spec 2 `/app/buy`: the amount, with preview, card and success as modals over it. */
export function BuyScreen() {
  const buy = useBuy();
  const { search } = useLocation();
  return (
    <Screen title={m.buy_title({ symbol: mainToken.symbol })} backTo={paths.home} width="form">
      <PendingNotices shownId={buy.shownId} onResume={buy.resume} />
      <CurrentBalance />
      <AmountForm key={search} firstWish={wishIn(search)} onPreview={buy.preview} />
      <Tiers />
      <BuyModals buy={buy} search={search} />
    </Screen>
  );
}

function CurrentBalance() {
  return <BalanceCard {...useShownBalance()} symbol={mainToken.symbol} />;
}

/** The tiers that buying leads to. Optional, so they are omitted if they cannot be loaded. */
function Tiers() {
  const balances = useBalances();
  const userUuid = useUserUuid();
  const { data: tiers, isError } = useQuery(tiersQuery);
  if (tiers === undefined || balances === undefined) {
    return isError ? null : <Skeleton className="rounded-large h-32" />;
  }
  return (
    <TierPanel
      tiers={tiers}
      balance={microAth(balances.ATH)}
      symbol={mainToken.symbol}
      onlineUrl={tiersPageUrl(brand, userUuid)}
    />
  );
}
