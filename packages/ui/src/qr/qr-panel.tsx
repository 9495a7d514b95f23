import { FailureNotice } from '../primitives/failure-notice.tsx';
import { Notice } from '../primitives/notice.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';
import { LargerQrCode } from './larger-qr-code.tsx';
import type { QrCodeProps } from './qr-code.tsx';

interface QrPanelProps extends Pick<QrCodeProps, 'colour' | 'hasLogo'> {
  label: string;
  /** The code to show, which takes precedence over all other states. */
  value: string | undefined;
  /** Shown below the code. */
  note?: string | undefined;
  /** The reason why no code can be fetched now, for example while offline. */
  blockedReason: string | undefined;
  loadingLabel: string;
  /** Names what failed; `undefined` while the code is loading. */
  failure: string | undefined;
  onTryAgain: () => void;
}

/** A code that is fetched, or its loading, blocked or failed state. */
export function QrPanel({ label, value, note, colour, hasLogo, ...absence }: QrPanelProps) {
  if (value === undefined) return <NoCode {...absence} />;
  return (
    <>
      <LargerQrCode
        value={value}
        label={label}
        {...(colour !== undefined && { colour })}
        {...(hasLogo !== undefined && { hasLogo })}
      />
      {note !== undefined && <Notice kind="info">{note}</Notice>}
    </>
  );
}

type NoCodeProps = Pick<QrPanelProps, 'blockedReason' | 'loadingLabel' | 'failure' | 'onTryAgain'>;

function NoCode({ blockedReason, loadingLabel, failure, onTryAgain }: NoCodeProps) {
  if (blockedReason !== undefined) return <Notice kind="info">{blockedReason}</Notice>;
  if (failure !== undefined) return <FailureNotice text={failure} onTryAgain={onTryAgain} />;
  return (
    <div role="status" aria-label={loadingLabel} className="w-full max-w-81">
      <Skeleton className="aspect-square w-full" />
    </div>
  );
}
