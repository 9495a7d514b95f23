import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { QrCode } from '@athos/ui/qr/qr-code';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useSignedQr, type ShownCode } from '../../api/signed-qr.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface TierCodeProps {
  userUuid: string;
  /** The tier's; black without a tier. */
  colour: string | undefined;
}

/** The tier code: another one every 10 s (spec 7). Shown, it counts as activity. */
export function TierCode({ userUuid, colour }: TierCodeProps) {
  const { code, askAgain } = useSignedQr({ kind: 'tier', userUuid });
  useShownCode('text' in code);
  return (
    <div className="flex flex-col items-center gap-4">
      <p className="text-body text-ink-quiet max-w-81 text-center text-balance">{m.tiers_text()}</p>
      <Code code={code} colour={colour} onAgain={askAgain} />
    </div>
  );
}

interface CodeProps {
  code: ShownCode;
  colour: string | undefined;
  onAgain: () => void;
}

function Code({ code, colour, onAgain }: CodeProps) {
  const offlineReason = useOfflineReason();
  if ('text' in code) {
    return (
      <>
        <QrCode
          value={code.text}
          label={m.tiers_qr_label()}
          {...(colour !== undefined && { colour })}
        />
        {code.state === 'ageing' && <Notice kind="info">{m.tiers_qr_ageing()}</Notice>}
      </>
    );
  }
  if (offlineReason !== undefined) return <Notice kind="info">{offlineReason}</Notice>;
  if (code.state === 'loading') {
    return (
      <div role="status" aria-label={m.tiers_qr_loading()} className="w-full max-w-81">
        <Skeleton className="aspect-square w-full" />
      </div>
    );
  }
  return (
    <Notice
      kind="danger"
      action={
        <Button variant="quiet" isCompact onClick={onAgain}>
          {m.common_try_again()}
        </Button>
      }
    >
      {m.tiers_qr_failed()}
    </Notice>
  );
}
