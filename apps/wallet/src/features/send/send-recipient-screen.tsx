import { isFrozen } from '@athos/app-core/intents/intent';
import { payCodeOfText } from '@athos/domain/pay-code';
import { addressOfScan } from '@athos/domain/qr-payload';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Screen } from '@athos/ui/layout/screen';
import { ScanButton } from '@athos/ui/qr/scan-button';
import { TextField } from '@athos/ui/fields/text-field';
import UserPlus from 'lucide-react/icons/user-plus';
import { useId, useRef, useState } from 'react';
import type { FormEvent, RefObject } from 'react';
import { useNavigate } from 'react-router';
import { useFoundName } from '../../api/recipients.ts';
import { paths } from '../../routes/paths.ts';
import { useSendDraft } from '../../state/send-draft.ts';
import type { Contact } from '../../state/contacts.ts';
import { AddContactModal } from './add-contact-modal.tsx';
import { AskedAmount } from './asked-amount.tsx';
import { ContactList } from './contact-list.tsx';
import { RecipientWarningNotice } from './recipient-warning.tsx';
import { useIsOver } from './finished-steps.ts';
import { OwnName } from './own-name.tsx';
import { OpenSending } from './open-sending.tsx';
import { useRecipientStep, type RecipientFault, type RecipientStep } from './use-recipient-step.ts';

/** Spec 2 `/app/send/recipient`: a typed, pasted or scanned address, or a saved contact. */
export function SendRecipientScreen() {
  const { draft, intent } = useSendDraft();
  if (useIsOver()) return null;
  if (!isFrozen(intent)) return <RecipientStepScreen />;
  return <OpenSending draft={draft} title={m.send_recipient_title()} backTo={paths.send} />;
}

function RecipientStepScreen() {
  const step = useRecipientStep();
  const navigate = useNavigate();
  const formId = useId();
  const nextButton = useRef<HTMLButtonElement>(null);

  const submit = async (): Promise<void> => {
    step.judge();
    if (step.fault !== undefined || step.isChecking) return;
    if (await step.check()) void navigate(paths.sendSummary);
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };

  return (
    <Screen
      title={m.send_recipient_title()}
      backTo={paths.send}
      width="form"
      action={<Steps formId={formId} step={step} nextRef={nextButton} />}
    >
      <form id={formId} onSubmit={handleSubmit} noValidate>
        <TextField
          label={m.send_recipient_label()}
          value={step.text}
          onValueChange={step.type}
          onBlur={step.judge}
          // A form whose button is disabled is never submitted.
          onKeyDown={(event) => event.key === 'Enter' && step.judge()}
          readOnly={step.isChecking}
          error={reasonText(step.shownFault)}
          enterKeyHint="next"
          placeholder={
            step.hasContacts ? m.send_recipient_placeholder() : m.send_recipient_placeholder_empty()
          }
          hint={step.chosen === undefined ? undefined : <Chosen address={step.chosen.address} />}
          trailing={
            <ScanButton
              title={m.send_recipient_scan()}
              read={readAddressCode}
              onRead={step.scan}
              // To 'Next' if there is an address now, otherwise back to the button.
              focusAfter={() =>
                nextButton.current?.disabled === false ? nextButton.current : null
              }
            />
          }
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      </form>
      <AskedAmount />
      <RecipientWarningNotice warning={step.warning} />
      <AddContact step={step} nextRef={nextButton} />
      <ContactList step={step} />
    </Screen>
  );
}

/** The address behind a contact or a handle, with its owner's display name if a look-up has returned it. */
function Chosen({ address }: { address: string }) {
  const ownName = useFoundName(address);
  return (
    <>
      {ownName !== undefined && <OwnName name={ownName} />}
      <span className="break-all">{address}</span>
    </>
  );
}

/** The text of a code that holds an address or a pay link. */
const readAddressCode = (decodedText: string): string | undefined =>
  addressOfScan(decodedText) === undefined && payCodeOfText(decodedText) === undefined
    ? undefined
    : decodedText.trim();

type NextRef = RefObject<HTMLButtonElement | null>;

/** Saves the typed address under a name. The modal outlives its button, which disappears once the contact is saved. */
function AddContact({ step, nextRef }: { step: RecipientStep; nextRef: NextRef }) {
  const [isOpen, setIsOpen] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const handleSave = (contact: Contact): void => {
    step.save(contact);
    setIsOpen(false);
  };
  return (
    <>
      {step.isUnknown && (
        <Button
          ref={addButton}
          variant="quiet"
          isWide
          icon={<UserPlus size={18} aria-hidden />}
          disabledReason={step.fault === 'invalid' ? m.send_reason_incomplete_contact() : undefined}
          onClick={() => setIsOpen(true)}
        >
          {m.send_add_contact()}
        </Button>
      )}
      <AddContactModal
        isOpen={isOpen}
        address={step.address}
        warning={step.warning}
        onSave={handleSave}
        onCancel={() => setIsOpen(false)}
        focusAfter={() => (addButton.current === null ? nextRef.current : null)}
      />
    </>
  );
}

interface StepsProps {
  formId: string;
  step: RecipientStep;
  nextRef: NextRef;
}

/** 'Back' and 'Next', side by side. */
function Steps({ formId, step, nextRef }: StepsProps) {
  const navigate = useNavigate();
  return (
    <div className="flex items-start gap-3 *:basis-1/2">
      <Button variant="quiet" isWide onClick={() => void navigate(paths.send)}>
        {m.common_back()}
      </Button>
      <Button
        ref={nextRef}
        type="submit"
        form={formId}
        isWide
        isPending={step.isChecking}
        disabledReason={reasonText(step.fault)}
        isReasonAtField={step.shownFault !== undefined}
      >
        {step.shownFault === 'failed' ? m.common_try_again() : m.send_next()}
      </Button>
    </div>
  );
}

/** The reason shown beside the disabled 'Next'. */
function reasonText(fault: RecipientFault | undefined): string | undefined {
  switch (fault) {
    case 'empty':
      return m.send_reason_no_recipient();
    case 'invalid':
      return m.send_reason_invalid_address();
    case 'own':
      return m.send_reason_own_address();
    case 'unknown':
      return m.send_reason_unknown_address();
    case 'nobody':
      return m.send_reason_nobody();
    case 'too_many':
      return m.send_reason_too_many();
    case 'failed':
      return m.send_reason_failed();
    case 'not_compared':
      return m.send_reason_compare();
    case undefined:
      return undefined;
  }
}
