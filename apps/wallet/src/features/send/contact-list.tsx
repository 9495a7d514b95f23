import { m } from '@athos/messages/messages';
import { Avatar } from '@athos/ui/avatar';
import { IconButton } from '@athos/ui/icon-button';
import { List, ListRow } from '@athos/ui/list-row';
import { toasts } from '@athos/ui/toast-store';
import Check from 'lucide-react/icons/check';
import Trash2 from 'lucide-react/icons/trash-2';
import { useId, useState } from 'react';
import { isSameContact, type Contact } from '../../state/contacts.ts';
import { LIST_ADDRESS_LENGTH, shortenAddress, TOAST_ADDRESS_LENGTH } from './address.ts';
import { DeleteContactModal } from './delete-contact-modal.tsx';
import type { RecipientStep } from './use-recipient-step.ts';

/** The saved contacts, each to choose or to delete (spec 2). */
export function ContactList({ step }: { step: RecipientStep }) {
  const [leaving, setLeaving] = useState<Contact>();
  const headingId = useId();

  const handleDelete = (): void => {
    if (leaving === undefined) return;
    step.remove(leaving);
    const address = shortenAddress(leaving.address, TOAST_ADDRESS_LENGTH);
    toasts.show('info', m.send_contact_removed({ address }), 5000);
    setLeaving(undefined);
  };

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="text-lead font-semibold">
        {m.send_contacts_title()}
      </h2>
      {step.contacts.length === 0 ? (
        <p className="text-body text-ink-quiet">
          {step.hasContacts ? m.send_contacts_no_match() : m.send_contacts_empty()}
        </p>
      ) : (
        <List label={m.send_contacts_title()}>
          {step.contacts.map((contact) => (
            <ContactRow
              key={`${contact.alias} ${contact.address}`}
              contact={contact}
              isChosen={step.chosen !== undefined && isSameContact(contact, step.chosen)}
              onPress={() => step.press(contact)}
              onDelete={() => setLeaving(contact)}
            />
          ))}
        </List>
      )}
      <DeleteContactModal
        contact={leaving}
        onDelete={handleDelete}
        onCancel={() => setLeaving(undefined)}
      />
    </section>
  );
}

interface ContactRowProps {
  contact: Contact;
  isChosen: boolean;
  onPress: () => void;
  onDelete: () => void;
}

function ContactRow({ contact, isChosen, onPress, onDelete }: ContactRowProps) {
  return (
    <ListRow
      leading={<Avatar name={contact.alias} />}
      title={contact.alias}
      subtitle={shortenAddress(contact.address, LIST_ADDRESS_LENGTH)}
      trailing={isChosen ? <Check size={20} aria-hidden className="text-accent-text" /> : undefined}
      isSelected={isChosen}
      onPress={onPress}
      control={
        <IconButton
          label={m.send_contact_delete({ alias: contact.alias })}
          icon={<Trash2 size={20} aria-hidden />}
          onClick={onDelete}
        />
      }
    />
  );
}
