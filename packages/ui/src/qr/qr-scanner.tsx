import CircleAlert from 'lucide-react/icons/circle-alert';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { ScannerControls } from './qr-scanner-controls.tsx';
import { ImagePanel } from './qr-scanner-image-panel.tsx';
import { ScannerSession } from './qr-scanner-session.ts';
import type { ScannerFault, ScannerPhase, ScannerView } from './qr-scanner-view.ts';
import { Viewfinder } from './qr-scanner-viewfinder.tsx';

export interface QrScannerProps {
  /** Called once per code; a code that stays in view is not reported again. */
  onDecoded: (decodedText: string) => void;
  /** Switches the camera off while the host shows something else. */
  isPaused?: boolean;
  /** The problem with the last code, such as 'QR code parse error'. Shown below the picture and announced. */
  fault?: string | undefined;
  /** For a host that shows the title itself. */
  isTitleHidden?: boolean;
}

/**
 * Spec 2 "Scanner widget": reads QR codes with the camera or from an image file. The decoder is loaded from the app's
 * own origin when the widget opens. Pictures never leave the device.
 */
export function QrScanner(props: QrScannerProps) {
  const { onDecoded, isPaused = false, fault, isTitleHidden = false } = props;
  const video = useRef<HTMLVideoElement>(null);
  const report = useEffectEvent((decodedText: string) => onDecoded(decodedText));
  const [session] = useState(() => new ScannerSession());
  const view = useSyncExternalStore(session.subscribe, session.read);

  useEffect(() => {
    if (video.current === null) return undefined;
    session.open(video.current, (text) => report(text));
    return () => session.close();
  }, [session]);
  useEffect(() => session.setHeld(isPaused), [session, isPaused]);

  return (
    <section aria-label={m.scanner_widget_title()} className="flex flex-col gap-4">
      {!isTitleHidden && (
        <h2 className="font-display text-lead font-bold">{m.scanner_widget_title()}</h2>
      )}
      <Viewfinder phase={view.phase} ref={video} />
      <ScannerMessage view={view} fault={fault} />
      <p role="status" className="sr-only">
        {stateWords(view.phase)}
      </p>
      <MainAction session={session} phase={view.phase} isHeld={isPaused} />
      <ScannerControls session={session} view={view} />
      <ImagePanel onText={onDecoded} />
    </section>
  );
}

/** An instruction or a problem, in one line that is announced when it changes. */
function ScannerMessage({ view, fault }: { view: ScannerView; fault: string | undefined }) {
  const words = view.fault === undefined ? undefined : faultWords(view.fault);
  const title = words?.title ?? fault;
  return (
    <div role="status" className="flex min-h-6 flex-col items-center gap-1 text-center">
      {title !== undefined && (
        <p className="text-body text-danger flex items-center gap-2 font-semibold">
          <CircleAlert size={18} aria-hidden className="shrink-0" />
          <span className="min-w-0 break-words">{title}</span>
        </p>
      )}
      <p className="text-caption text-ink-quiet text-balance empty:hidden">
        {words?.hint ?? phaseHint(view)}
      </p>
    </div>
  );
}

/** The text for screen readers; the picture and the button show the same. */
function stateWords(phase: ScannerPhase): string | undefined {
  switch (phase) {
    case 'requesting':
      return m.scanner_widget_requesting();
    case 'starting':
      return m.scanner_widget_starting();
    case 'scanning':
      return m.scanner_widget_state_scanning();
    case 'paused':
      return m.scanner_widget_state_paused();
    case 'opening':
    case 'blocked':
    case 'permission':
      return undefined;
  }
}

function phaseHint({ phase, cameras }: ScannerView): string | undefined {
  if (phase === 'scanning') return m.scanner_widget_hint();
  return phase === 'paused' && cameras.length > 1
    ? m.scanner_widget_choose_camera_hint()
    : undefined;
}

/** Spec 8 "Scanner". */
function faultWords(fault: ScannerFault): { title: string; hint: string } {
  switch (fault.kind) {
    case 'insecure':
      return { title: m.scanner_widget_insecure(), hint: m.scanner_widget_insecure_hint() };
    case 'denied':
      return { title: m.scanner_widget_denied(), hint: m.scanner_widget_denied_hint() };
    case 'no_camera':
      return { title: m.scanner_widget_no_camera(), hint: m.scanner_widget_no_camera_hint() };
    case 'no_cameras':
      return { title: m.scanner_widget_no_cameras(), hint: m.scanner_widget_no_camera_hint() };
    case 'busy':
      return { title: m.scanner_widget_busy(), hint: m.scanner_widget_busy_hint() };
    case 'not_initialized':
      return {
        title: m.scanner_widget_not_initialized(),
        hint: m.scanner_widget_not_initialized_hint(),
      };
    case 'absent':
      return {
        title: m.scanner_widget_camera_absent({ id: fault.camera }),
        hint: m.scanner_widget_camera_absent_hint(),
      };
  }
}

interface MainActionProps {
  session: ScannerSession;
  phase: ScannerPhase;
  isHeld: boolean;
}

function MainAction({ session, phase, isHeld }: MainActionProps) {
  switch (phase) {
    case 'blocked':
      return null;
    case 'opening':
    case 'permission':
    case 'requesting':
      return (
        <Button
          isWide
          isPending={phase === 'requesting'}
          isDisabled={phase === 'opening' || isHeld}
          onClick={() => void session.start()}
        >
          {phase === 'requesting' ? m.scanner_widget_requesting() : m.scanner_widget_request()}
        </Button>
      );
    case 'starting':
    case 'scanning':
      return (
        <Button variant="quiet" isWide onClick={() => session.stop()}>
          {m.scanner_widget_stop()}
        </Button>
      );
    case 'paused':
      return (
        <Button isWide isDisabled={isHeld} onClick={() => void session.start()}>
          {m.scanner_widget_start()}
        </Button>
      );
  }
}
