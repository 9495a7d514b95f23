import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { QrCode } from '@athos/ui/qr/qr-code';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useEffect } from 'react';
import { refreshPurchases } from '../../api/purchases.ts';
import { useSignedQr } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Decisions "Signed QR codes": up to this many items the code has room for the logo and its correction. */
const LOGO_ITEMS_MAX = 10;

interface RedeemCodeProps {
  userUuid: string;
  /** At least one. */
  itemIds: readonly number[];
}

/** The purchase code: another one every 10 s and for every selection (spec 7). Shown, it counts as activity. */
export function RedeemCode({ userUuid, itemIds }: RedeemCodeProps) {
  const { code, askAgain } = useSignedQr({ kind: 'purchase', userUuid, itemIds });
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();
  const isRefused = code.state === 'refused';
  useEffect(() => {
    // Most likely redeemed meanwhile: what is left is known after one look.
    if (isRefused) void refreshPurchases();
  }, [isRefused]);

  if ('text' in code) {
    return (
      <>
        <QrCode
          value={code.text}
          label={m.purchases_qr_label()}
          hasLogo={itemIds.length <= LOGO_ITEMS_MAX}
        />
        {code.state === 'ageing' && <Notice kind="info">{m.purchases_qr_ageing()}</Notice>}
      </>
    );
  }
  if (offlineReason !== undefined) return <Notice kind="info">{offlineReason}</Notice>;
  if (code.state === 'loading') {
    return (
      <div role="status" aria-label={m.purchases_qr_loading()} className="w-full max-w-81">
        <Skeleton className="aspect-square w-full" />
      </div>
    );
  }
  return (
    <Notice
      kind="danger"
      action={
        <Button variant="quiet" isCompact onClick={askAgain}>
          {m.common_try_again()}
        </Button>
      }
    >
      {isRefused ? m.purchases_qr_refused() : m.purchases_qr_failed()}
    </Notice>
  );
}
