import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { Dialog, type DialogProps } from '../overlays/dialog.tsx';
import { QrScanner } from './qr-scanner.tsx';
import { playScanFeedback } from './scan-feedback.ts';

export interface ScanDialogProps extends Pick<DialogProps, 'isOpen' | 'title' | 'focusAfter'> {
  /** Parses a code's text; `undefined` for an unsupported code. */
  read: (decodedText: string) => string | undefined;
  onRead: (value: string) => void;
  onCancel: () => void;
  /** Shown for an unsupported code. Defaults to 'QR code parse error' (spec 8). */
  fault?: string;
}

/** A modal with the scanner, for a field that can be scanned. It is large, so load it on first use. */
export function ScanDialog(props: ScanDialogProps) {
  const { isOpen, title, focusAfter, read, onRead, onCancel } = props;
  const [isRefused, setIsRefused] = useState(false);

  const handleDecoded = (text: string): void => {
    const value = read(text);
    playScanFeedback(value === undefined ? 'refused' : 'success');
    setIsRefused(value === undefined);
    if (value !== undefined) onRead(value);
  };
  const handleCancel = (): void => {
    setIsRefused(false);
    onCancel();
  };

  return (
    <Dialog isOpen={isOpen} onClose={handleCancel} focusAfter={focusAfter} title={title}>
      <QrScanner
        onDecoded={handleDecoded}
        fault={isRefused ? (props.fault ?? m.scanner_widget_parse_error()) : undefined}
        isTitleHidden
      />
    </Dialog>
  );
}
