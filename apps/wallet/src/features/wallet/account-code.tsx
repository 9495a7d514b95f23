import { m } from '@athos/messages/messages';
import { QrPanel } from '@athos/ui/qr/qr-panel';
import { useSignedQr } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/**
 * The account's code, signed again every 10 s (spec 7). While it is shown, the user does not count as inactive (D-181). A scan reads only
 * the address from it, so a code whose replacement is late needs no notice.
 */
export function AccountCode({ userUuid }: { userUuid: string }) {
  const { code, askAgain } = useSignedQr({ kind: 'transfer', userUuid });
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();
  return (
    <QrPanel
      label={m.wallet_account_qr_label()}
      value={'text' in code ? code.text : undefined}
      blockedReason={offlineReason}
      loadingLabel={m.wallet_account_qr_loading()}
      failure={code.state === 'loading' ? undefined : m.wallet_account_qr_failed()}
      onTryAgain={askAgain}
    />
  );
}
