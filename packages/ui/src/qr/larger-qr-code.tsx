import { m } from '@athos/messages/messages';
import Maximize from 'lucide-react/icons/maximize';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../primitives/button.tsx';
import { QrCode, type QrCodeProps } from './qr-code.tsx';

/** A code with a button that shows it full-screen, for a scanner that has trouble reading it (W-057). */
export function LargerQrCode(props: Omit<QrCodeProps, 'isLarge'>) {
  const [isLarge, setIsLarge] = useState(false);
  return (
    <>
      {/* Keeps its place. Only one of the two codes is visible to screen readers and cameras. */}
      <div className={isLarge ? 'invisible max-w-full' : 'max-w-full'}>
        <QrCode {...props} />
      </div>
      <Button
        variant="quiet"
        isCompact
        icon={<Maximize size={18} aria-hidden />}
        onClick={() => setIsLarge(true)}
      >
        {m.common_qr_larger()}
      </Button>
      {isLarge && <LargeCode {...props} onClose={() => setIsLarge(false)} />}
    </>
  );
}

interface LargeCodeProps extends Omit<QrCodeProps, 'isLarge'> {
  onClose: () => void;
}

/** White to the edges in both themes: the edge is the quiet zone of the code. */
function LargeCode({ onClose, ...props }: LargeCodeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={props.label ?? m.common_qr_label()}
      onClose={onClose}
      className="bg-qr-ground text-qr-ink m-0 h-dvh max-h-none w-full max-w-none"
    >
      <div className="flex min-h-full flex-col items-center justify-center gap-6 p-5 landscape:flex-row">
        <div className="max-h-[calc(100dvh-2.5rem)] max-w-[min(30rem,calc(100dvh-2.5rem))] min-w-0">
          <QrCode {...props} isLarge />
        </div>
        {/* Not a themed button, because the background is white in the dark theme too. */}
        <button
          type="button"
          onClick={() => dialog.current?.close()}
          className="rounded-pill target border-2 border-current px-6 py-3 font-semibold"
        >
          {m.common_close()}
        </button>
      </div>
    </dialog>
  );
}
