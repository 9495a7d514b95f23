import { m } from '@athos/messages/messages';
import { QrPanel } from '@athos/ui/qr/qr-panel';
import { useSignedQr } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface TierCodeProps {
  userUuid: string;
  /** The tier's colour; black without a tier. */
  colour: string | undefined;
}

/** The tier code, renewed every 10 s (spec 7). While it is shown, the user does not count as inactive (D-181). */
export function TierCode({ userUuid, colour }: TierCodeProps) {
  const { code, askAgain } = useSignedQr({ kind: 'tier', userUuid });
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();
  return (
    <div className="flex flex-col items-center gap-4">
      <p className="text-body text-ink-quiet max-w-81 text-center text-balance">{m.tiers_text()}</p>
      <QrPanel
        label={m.tiers_qr_label()}
        value={'text' in code ? code.text : undefined}
        note={code.state === 'ageing' ? m.tiers_qr_ageing() : undefined}
        {...(colour !== undefined && { colour })}
        blockedReason={offlineReason}
        loadingLabel={m.tiers_qr_loading()}
        failure={code.state === 'loading' ? undefined : m.tiers_qr_failed()}
        onTryAgain={askAgain}
      />
    </div>
  );
}
