import { m } from '@athos/messages/messages';
import { Avatar } from '@athos/ui/primitives/avatar';
import { IconButton } from '@athos/ui/primitives/icon-button';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { toasts } from '@athos/ui/overlays/toast-store';
import Check from 'lucide-react/icons/check';
import Trash2 from 'lucide-react/icons/trash-2';
import { useId, useRef, useState } from 'react';
import { isSameContact, type Contact } from '../../state/contacts.ts';
import { LIST_ADDRESS_LENGTH, shortenAddress, TOAST_ADDRESS_LENGTH } from './address.ts';
import { DeleteContactModal } from './delete-contact-modal.tsx';
import { SharedContactsNotice } from './shared-contacts-notice.tsx';
import type { RecipientStep } from './use-recipient-step.ts';

/** Lists the saved contacts, each of which can be chosen or deleted (spec 2). */
export function ContactList({ step }: { step: RecipientStep }) {
  const [leaving, setLeaving] = useState<Contact>();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isGone = useRef(false);

  const handleAsk = (contact: Contact): void => {
    isGone.current = false;
    setLeaving(contact);
  };

  const handleDelete = (): void => {
    if (leaving === undefined) return;
    step.remove(leaving);
    isGone.current = true;
    const address = shortenAddress(leaving.address, TOAST_ADDRESS_LENGTH);
    toasts.show('info', m.send_contact_removed({ address }), 5000);
    setLeaving(undefined);
  };

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2
        id={headingId}
        ref={heading}
        tabIndex={-1}
        className="text-lead font-semibold outline-none"
      >
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
              onDelete={() => handleAsk(contact)}
            />
          ))}
        </List>
      )}
      <SharedContactsNotice headingRef={heading} />
      <DeleteContactModal
        contact={leaving}
        onDelete={handleDelete}
        onCancel={() => setLeaving(undefined)}
        // The button that opened the dialog has been removed with its contact.
        focusAfter={() => (isGone.current ? heading.current : null)}
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
