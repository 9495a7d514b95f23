import { brand, mainToken } from '@athos/brand/brand';
import { tiersPageUrl } from '@athos/brand/links';
import { microAth } from '@athos/domain/money';
import { currentTier } from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { TierPanel } from '@athos/ui/layout/tier-panel';
import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from '../../api/balance.ts';
import { tiersQuery } from '../../api/tiers.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { TierCode } from './tier-code.tsx';

/** Spec 2 `/app/tiers`: the code in the tier's colour, and the tiers. */
export function TiersScreen() {
  return (
    <Screen title={m.tiers_title({ symbol: mainToken.symbol })} backTo={paths.home} width="form">
      <Tiers />
    </Screen>
  );
}

function Tiers() {
  const balances = useQuery(balanceQuery);
  const tiers = useQuery(tiersQuery);
  const userUuid = useUserUuid();
  if (balances.data === undefined || tiers.data === undefined) {
    if (!balances.isError && !tiers.isError) return <Loading />;
    return (
      <FailureNotice
        text={m.tiers_failed()}
        onTryAgain={() => void Promise.all([balances.refetch(), tiers.refetch()])}
      />
    );
  }
  const balance = microAth(balances.data.ATH);
  return (
    <>
      <TierCode userUuid={userUuid} colour={currentTier(tiers.data, balance)?.color} />
      <TierPanel
        tiers={tiers.data}
        balance={balance}
        symbol={mainToken.symbol}
        onlineUrl={tiersPageUrl(brand, userUuid)}
      />
      <ButtonLink to={paths.buy} variant="quiet" isWide>
        {m.tiers_buy({ symbol: mainToken.symbol })}
      </ButtonLink>
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={m.common_loading()} className="flex flex-col items-center gap-5">
      <Skeleton className="aspect-square w-full max-w-81" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
