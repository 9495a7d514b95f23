import Camera from 'lucide-react/icons/camera';
import CameraOff from 'lucide-react/icons/camera-off';
import Pause from 'lucide-react/icons/pause';
import type { ReactNode, Ref } from 'react';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import type { ScannerPhase } from './qr-scanner-view.ts';

const PHASE_ICONS: Readonly<Record<ScannerPhase, ReactNode>> = {
  opening: undefined,
  blocked: <CameraOff size={28} />,
  permission: <Camera size={28} />,
  requesting: <Camera size={28} />,
  starting: <Camera size={28} />,
  scanning: undefined,
  paused: <Pause size={28} />,
};

/** The text shown in place of the picture. */
function placeText(phase: ScannerPhase): string | undefined {
  switch (phase) {
    case 'permission':
    case 'requesting':
      return m.scanner_widget_why();
    case 'starting':
      return m.scanner_widget_starting();
    case 'paused':
      return m.scanner_widget_state_paused();
    case 'opening':
    case 'blocked':
    case 'scanning':
      return undefined;
  }
}

/** The camera's picture, square, with a scan box of 320 by 320 px (spec 9), or the reason why there is no picture. */
export function Viewfinder({ phase, ref }: { phase: ScannerPhase; ref: Ref<HTMLVideoElement> }) {
  const isScanning = phase === 'scanning';
  const text = placeText(phase);
  return (
    <div
      className={classNames(
        '@container/view rounded-large relative mx-auto aspect-square w-full max-w-92 overflow-hidden',
        isScanning ? 'bg-card-ink' : 'bg-sunken inset-ring-line inset-ring',
      )}
    >
      <video
        ref={ref}
        muted
        playsInline
        aria-hidden="true"
        className={classNames('size-full object-cover', !isScanning && 'invisible')}
      />
      {!isScanning && (
        <div className="animate-enter absolute inset-0 flex flex-col items-center justify-center gap-4 p-4 text-center @[14rem]/view:p-12">
          {PHASE_ICONS[phase] !== undefined && (
            <span
              aria-hidden="true"
              className="rounded-pill bg-surface text-accent-text shadow-card hidden size-16 items-center justify-center @[14rem]/view:flex"
            >
              {PHASE_ICONS[phase]}
            </span>
          )}
          {text !== undefined && (
            <p className="text-caption @[14rem]/view:text-body text-ink-quiet text-balance">
              {text}
            </p>
          )}
        </div>
      )}
      <ScanBox isLit={isScanning} isWaiting={phase === 'requesting' || phase === 'starting'} />
    </div>
  );
}

/** The four corners of a 320 px square, or of the whole picture if that is smaller. */
function ScanBox({ isLit, isWaiting }: { isLit: boolean; isWaiting: boolean }) {
  return (
    <div
      aria-hidden="true"
      data-testid="scan-box"
      className={classNames(
        'pointer-events-none absolute inset-0 m-auto size-80 max-h-full max-w-full',
        isWaiting && 'animate-shimmer',
      )}
    >
      <svg
        viewBox="0 0 100 100"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={classNames(
          'size-full transition-colors duration-200 ease-out',
          isLit ? 'text-card-from' : 'text-line-strong',
        )}
      >
        <path d="M1 16V9a8 8 0 0 1 8-8h7M84 1h7a8 8 0 0 1 8 8v7M99 84v7a8 8 0 0 1-8 8h-7M16 99H9a8 8 0 0 1-8-8v-7" />
      </svg>
    </div>
  );
}
