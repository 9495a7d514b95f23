import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../primitives/icon-button.tsx';
import type { ScanDialogProps } from './scan-dialog.tsx';

const ScanDialog = lazy(async () => ({
  default: (await import('./scan-dialog.tsx')).ScanDialog,
}));

type ScanButtonProps = Omit<ScanDialogProps, 'isOpen' | 'onCancel'>;

/** The button at the end of a field that can be scanned. The scanner is loaded on first use. */
export function ScanButton({ onRead, ...dialog }: ScanButtonProps) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  const handleRead = (value: string): void => {
    setState('closed');
    onRead(value);
  };
  return (
    <>
      <IconButton
        label={dialog.title}
        icon={<ScanQrCode size={20} aria-hidden />}
        onClick={() => setState('open')}
      />
      {state !== 'unused' && (
        <Suspense>
          <ScanDialog
            {...dialog}
            isOpen={state === 'open'}
            onRead={handleRead}
            onCancel={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
}
