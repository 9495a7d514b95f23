import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState } from 'react';
import { enrolDevice, type EnrolOutcome } from '../../api/enrolment.ts';

const FAILURES: Readonly<Record<Exclude<EnrolOutcome['kind'], 'done'>, () => string>> = {
  waiting: m.scanner_offline_enrol_waiting,
  wrong: m.scanner_app_enrol_wrong,
  too_many: m.scanner_app_enrol_too_many,
  failed: m.scanner_app_enrol_failed,
};

/** Takes the code that gives this device its name. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const [isPending, setIsPending] = useState(false);
  const [outcome, setOutcome] = useState<EnrolOutcome>();

  async function handleEnrol(): Promise<void> {
    setIsPending(true);
    setOutcome(await enrolDevice(code));
    setIsPending(false);
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
            onClick={() => void handleEnrol()}
          >
            {m.scanner_app_enrol_act()}
          </Button>
        )
      }
    >
      {outcome?.kind === 'done' && (
        <Notice kind="success" title={outcome.name}>
          {m.scanner_app_enrol_done({ venue: outcome.venueName })}{' '}
          {outcome.hasKey ? m.scanner_offline_enrol_key() : m.scanner_offline_enrol_no_key()}
        </Notice>
      )}
      {outcome !== undefined && outcome.kind !== 'done' && (
        <Notice kind="danger" title={m.scanner_app_enrol_failed_title()}>
          {FAILURES[outcome.kind]()}
        </Notice>
      )}
      {!isDone && (
        <TextField
          label={m.scanner_app_enrol_code()}
          value={code}
          onValueChange={setCode}
          autoCapitalize="characters"
          maxLength={12}
        />
      )}
    </Dialog>
  );
}
