import { m } from '@athos/messages/messages';
import { QrPanel } from '@athos/ui/qr/qr-panel';
import { useEffect } from 'react';
import { refreshPurchases } from '../../api/purchases.ts';
import { useSignedQr } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** A code of more items is too dense for a logo, which needs stronger error correction. */
const LOGO_ITEMS_MAX = 10;

interface RedeemCodeProps {
  userUuid: string;
  /** At least one. */
  itemIds: readonly number[];
}

/**
 * The purchase code, renewed every 10 s and for each selection (spec 7). While it is shown, the user does not count as
 * away (D-181).
 */
export function RedeemCode({ userUuid, itemIds }: RedeemCodeProps) {
  const { code, askAgain } = useSignedQr({ kind: 'purchase', userUuid, itemIds });
  const isRefused = code.state === 'refused';
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();
  useEffect(() => {
    // Most likely some items have been redeemed. The list shows which are left.
    if (isRefused) void refreshPurchases();
  }, [isRefused]);
  return (
    <QrPanel
      label={m.purchases_qr_label()}
      value={'text' in code ? code.text : undefined}
      note={code.state === 'ageing' ? m.purchases_qr_ageing() : undefined}
      hasLogo={itemIds.length <= LOGO_ITEMS_MAX}
      blockedReason={offlineReason}
      loadingLabel={m.purchases_qr_loading()}
      failure={failureOf(code.state)}
      onTryAgain={askAgain}
    />
  );
}

function failureOf(state: string): string | undefined {
  if (state === 'refused') return m.purchases_qr_refused();
  return state === 'failed' ? m.purchases_qr_failed() : undefined;
}
