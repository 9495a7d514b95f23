import { enrolmentCodeOfQr } from '@athos/domain/enrolment-code';
import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { QrScanner } from '@athos/ui/qr/qr-scanner';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import { useState } from 'react';
import { enrolDevice, type EnrolOutcome } from '../../api/enrolment.ts';

const FAILURES: Readonly<Record<Exclude<EnrolOutcome['kind'], 'done'>, () => string>> = {
  waiting: m.scanner_offline_enrol_waiting,
  wrong: m.scanner_app_enrol_wrong,
  too_many: m.scanner_app_enrol_too_many,
  failed: m.scanner_app_enrol_failed,
};

/** Takes the enrolment code for this device: typed, or read by the camera from the console's screen. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const [isScanning, setIsScanning] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [outcome, setOutcome] = useState<EnrolOutcome>();

  async function handleEnrol(given: string): Promise<void> {
    setIsPending(true);
    setOutcome(await enrolDevice(given));
    setIsPending(false);
  }
  function handleRead(given: string): void {
    setIsScanning(false);
    setCode(given);
    void handleEnrol(given);
  }

  const isDone = outcome?.kind === 'done';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={m.scanner_app_enrol()}
      description={m.scanner_app_enrol_lead()}
      actions={
        isDone ? (
          <Button isWide onClick={onClose}>
            {m.common_close()}
          </Button>
        ) : (
          <Button
            isWide
            isPending={isPending}
            disabledReason={code.trim() === '' ? m.scanner_app_enrol_reason() : undefined}
            onClick={() => void handleEnrol(code)}
          >
            {m.scanner_app_enrol_act()}
          </Button>
        )
      }
    >
      <OutcomeNotice outcome={outcome} />
      {!isDone && (
        <TextField
          label={m.scanner_app_enrol_code()}
          value={code}
          onValueChange={setCode}
          autoCapitalize="characters"
          maxLength={12}
        />
      )}
      {!isDone && !isPending && (
        <Button
          variant="quiet"
          isWide
          icon={<ScanQrCode size={20} aria-hidden />}
          aria-expanded={isScanning}
          onClick={() => setIsScanning(!isScanning)}
        >
          {isScanning ? m.scanner_app_enrol_scan_stop() : m.scanner_app_enrol_scan()}
        </Button>
      )}
      {isScanning && <CodeReader onRead={handleRead} />}
    </Dialog>
  );
}

function OutcomeNotice({ outcome }: { outcome: EnrolOutcome | undefined }) {
  if (outcome === undefined) return null;
  if (outcome.kind !== 'done') {
    return (
      <Notice kind="danger" title={m.scanner_app_enrol_failed_title()}>
        {FAILURES[outcome.kind]()}
      </Notice>
    );
  }
  return (
    <Notice kind="success" title={outcome.name}>
      {m.scanner_app_enrol_done({ venue: outcome.venueName })}{' '}
      {outcome.hasKey ? m.scanner_offline_enrol_key() : m.scanner_offline_enrol_no_key()}
    </Notice>
  );
}

function CodeReader({ onRead }: { onRead: (code: string) => void }) {
  const [isOther, setIsOther] = useState(false);
  function handleDecoded(text: string): void {
    const code = enrolmentCodeOfQr(text);
    playScanFeedback(code === undefined ? 'refused' : 'success');
    setIsOther(code === undefined);
    if (code !== undefined) onRead(code);
  }
  return (
    <QrScanner
      onDecoded={handleDecoded}
      fault={isOther ? m.scanner_app_enrol_scan_other() : undefined}
      isTitleHidden
    />
  );
}
