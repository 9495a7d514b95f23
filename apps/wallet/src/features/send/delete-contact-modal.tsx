import { m } from '@athos/messages/messages';
import { ConfirmDialog } from '@athos/ui/overlays/dialog';
import { useState } from 'react';
import type { Contact } from '../../state/contacts.ts';

interface DeleteContactModalProps {
  /** The contact to delete. The dialog is closed while this is `undefined`. */
  contact: Contact | undefined;
  onDelete: () => void;
  onCancel: () => void;
  /** Returns the element to focus when the dialog closes, or `null` for the button that opened it. */
  focusAfter: () => HTMLElement | null;
}

/** Spec 2: asks for confirmation before a contact is deleted. */
export function DeleteContactModal(props: DeleteContactModalProps) {
  const { contact, onDelete, onCancel, focusAfter } = props;
  // The name stays visible while the dialog fades out.
  const [alias, setAlias] = useState('');
  if (contact !== undefined && contact.alias !== alias) setAlias(contact.alias);
  return (
    <ConfirmDialog
      isOpen={contact !== undefined}
      title={m.send_delete_contact_title()}
      text={m.send_delete_contact_text({ alias })}
      confirmLabel={m.common_delete()}
      isDanger
      onConfirm={onDelete}
      onCancel={onCancel}
      focusAfter={focusAfter}
    />
  );
}
