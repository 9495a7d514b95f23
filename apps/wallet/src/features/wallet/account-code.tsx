import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { QrCode } from '@athos/ui/qr/qr-code';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useSignedQr } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/**
 * The account's code, signed again every 10 s (spec 7). While it is shown, the user is not away (D-181). Who scans it
 * takes only the address, so a code whose successor is late does no harm.
 */
export function AccountCode({ userUuid }: { userUuid: string }) {
  const { code, askAgain } = useSignedQr({ kind: 'transfer', userUuid });
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();

  if ('text' in code) return <QrCode value={code.text} label={m.wallet_account_qr_label()} />;
  if (offlineReason !== undefined) return <Notice kind="info">{offlineReason}</Notice>;
  if (code.state !== 'loading') {
    return (
      <Notice
        kind="danger"
        action={
          <Button variant="quiet" isCompact onClick={askAgain}>
            {m.common_try_again()}
          </Button>
        }
      >
        {m.wallet_account_qr_failed()}
      </Notice>
    );
  }
  return (
    <div role="status" aria-label={m.wallet_account_qr_loading()} className="w-full max-w-81">
      <Skeleton className="aspect-square w-full" />
    </div>
  );
}
