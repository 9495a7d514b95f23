import { NO_UNITS, type TokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { optionalPart } from '@athos/ui/layout/optional-part';
import { Screen } from '@athos/ui/layout/screen';
import { useDeferredValue } from 'react';
import { useBalances } from '../../api/balance.ts';
import { usePendingPayments } from '../../api/pending-payments.ts';
import { Marketplace } from './marketplace.tsx';
import { WalletBlock } from './wallet-block.tsx';

// Few users need one of these, and other screens offer the same.
const PendingPurchases = optionalPart(
  async () => (await import('./pending-purchases.tsx')).PendingPurchases,
);
const BelowZero = optionalPart(async () => (await import('./below-zero.tsx')).BelowZero);
const FirstSteps = optionalPart(async () => (await import('./first-steps.tsx')).FirstSteps);

const isBelow = (amount: TokenUnits | undefined): boolean =>
  amount !== undefined && amount < NO_UNITS;
const isNothing = (amount: TokenUnits | undefined): boolean => amount === NO_UNITS;

/** The notice below the balance. A debt takes precedence over a pending purchase, and that over the first steps. */
function useNotice(): 'below_zero' | 'pending' | 'first_steps' | undefined {
  const balance = useBalances()?.ATH;
  const isEmpty = isNothing(balance);
  const hasPending = usePendingPayments().length > 0;
  if (isBelow(balance)) return 'below_zero';
  if (hasPending) return 'pending';
  return isEmpty ? 'first_steps' : undefined;
}

/** Spec 2 `/app`: wallet block, tier badge and the marketplace's top-level categories. */
export function HomeScreen() {
  // Deferred and without a Suspense boundary, so the screen stays as it is until the code is here and shifts only once.
  const notice = useDeferredValue(useNotice());
  return (
    <Screen title={m.wallet_home_title()} isTitleHidden>
      <WalletBlock />
      {notice === 'below_zero' && <BelowZero />}
      {notice === 'pending' && <PendingPurchases />}
      {notice === 'first_steps' && <FirstSteps />}
      <Marketplace />
    </Screen>
  );
}
