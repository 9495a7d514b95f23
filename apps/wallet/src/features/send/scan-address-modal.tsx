import { addressOfScan } from '@athos/domain/qr-payload';
import { m } from '@athos/messages/messages';
import { Dialog } from '@athos/ui/overlays/dialog';
import { QrScanner } from '@athos/ui/qr/qr-scanner';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { useState } from 'react';

interface ScanAddressModalProps {
  isOpen: boolean;
  onAddress: (address: string) => void;
  onCancel: () => void;
  /** Returns the element to focus when the dialog closes, or `null` for the button that opened it. */
  focusAfter: () => HTMLElement | null;
}

/** Spec 2: reads an address from a code: `d.a` of a signed code, or a bare uuid (D-076, D-077). */
export function ScanAddressModal(props: ScanAddressModalProps) {
  const { isOpen, onAddress, onCancel, focusAfter } = props;
  const [fault, setFault] = useState<string>();

  const handleDecoded = (text: string): void => {
    const address = addressOfScan(text);
    playScanFeedback(address === undefined ? 'refused' : 'success');
    setFault(address === undefined ? m.scanner_widget_parse_error() : undefined);
    if (address !== undefined) onAddress(address);
  };
  const handleCancel = (): void => {
    setFault(undefined);
    onCancel();
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={handleCancel}
      focusAfter={focusAfter}
      title={m.send_recipient_scan()}
    >
      <QrScanner onDecoded={handleDecoded} fault={fault} isTitleHidden />
    </Dialog>
  );
}
