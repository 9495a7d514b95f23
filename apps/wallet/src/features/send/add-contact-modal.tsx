import { ALIAS_LENGTH_MAX, aliasOfText } from '@athos/domain/contacts';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { TextField } from '@athos/ui/fields/text-field';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { Contact } from '../../state/contacts.ts';
import { RecipientWarningNotice } from './recipient-warning.tsx';
import type { RecipientWarning } from './use-recipient-warning.ts';

interface AddContactModalProps {
  isOpen: boolean;
  /** The typed address. */
  address: string;
  /** The warning about the address. None is shown for a saved contact. */
  warning: RecipientWarning;
  onSave: (contact: Contact) => void;
  onCancel: () => void;
  /** Returns the element to focus when the dialog closes, or `null` for the button that opened it. */
  focusAfter: () => HTMLElement | null;
}

/** Spec 2: saves a typed address under a name. */
export function AddContactModal(props: AddContactModalProps) {
  const { isOpen, address, onSave, onCancel } = props;
  const [alias, setAlias] = useState('');
  const formId = useId();
  const name = aliasOfText(alias);
  const isCompared = props.warning.kind !== 'look_alike' || props.warning.isCompared;
  const reason =
    name === '' ? m.send_contact_alias_reason() : isCompared ? undefined : m.send_reason_compare();

  const handleCancel = (): void => {
    setAlias('');
    onCancel();
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason !== undefined) return;
    setAlias('');
    onSave({ alias: name, address });
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={handleCancel}
      hasCloseButton={false}
      focusAfter={props.focusAfter}
      title={m.send_add_contact_title()}
      actions={
        <>
          <Button variant="quiet" isWide onClick={handleCancel}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" form={formId} isWide disabledReason={reason}>
            {m.common_save()}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={handleSubmit} className="flex flex-col gap-4" noValidate>
        <TextField
          label={m.send_contact_alias()}
          value={alias}
          onValueChange={setAlias}
          maxLength={ALIAS_LENGTH_MAX}
        />
        <TextField label={m.send_contact_address()} value={address} readOnly />
        {props.warning.kind === 'look_alike' && <RecipientWarningNotice warning={props.warning} />}
      </form>
    </Dialog>
  );
}
