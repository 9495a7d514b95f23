import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { FirstSteps } from './first-steps.tsx';
import { Marketplace } from './marketplace.tsx';
import { PendingPurchases } from './pending-purchases.tsx';
import { WalletBlock } from './wallet-block.tsx';

/** Spec 2 `/app`: wallet block, tier badge and the marketplace's top-level categories. */
export function HomeScreen() {
  return (
    <Screen title={m.wallet_home_title()} isTitleHidden>
      <WalletBlock />
      <PendingPurchases />
      <FirstSteps />
      <Marketplace />
    </Screen>
  );
}
