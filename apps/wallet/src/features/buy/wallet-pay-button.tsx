import { mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useEffect, useState } from 'react';
import { findWalletPay, type WalletPay } from '../../native/wallet-pay.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { settings } from '../../state/settings.ts';

interface WalletPayButtonProps {
  /** Whether there is a payment that can be paid. */
  isReady: boolean;
  onPay: (wallet: WalletPay) => void;
}

/** A button for Apple Pay or Google Pay in the packaged app, if the phone supports one of them; otherwise nothing. */
export function WalletPayButton({ isReady, onPay }: WalletPayButtonProps) {
  const wallet = useWalletPay();
  const offlineReason = useOfflineReason();
  if (wallet === undefined) return null;
  return (
    // The reason is shown below 'Pay'.
    <Button
      isWide
      isDisabled={!isReady || offlineReason !== undefined}
      onClick={() => onPay(wallet)}
    >
      {wallet.kind === 'apple' ? m.buy_wallet_pay_apple() : m.buy_wallet_pay_google()}
    </Button>
  );
}

function useWalletPay(): WalletPay | undefined {
  const [wallet, setWallet] = useState<WalletPay>();
  useEffect(() => {
    const { stripePublishableKey: publishableKey, appleMerchantId = null } = settings();
    if (publishableKey === null) return;
    let isGone = false;
    const label = m.buy_wallet_pay_label({ symbol: mainToken.symbol });
    void findWalletPay({ publishableKey, appleMerchantId, label }).then((found) => {
      if (!isGone) setWallet(found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return wallet;
}
