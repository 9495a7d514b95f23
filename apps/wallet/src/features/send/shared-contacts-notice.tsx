import { CONTACTS_MAX } from '@athos/domain/contacts';
import { m } from '@athos/messages/messages';
import { ConfirmDialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { useUserUuid } from '../../state/current-user.ts';
import {
  askForContacts,
  deleteUnreadable,
  useSharedContacts,
} from '../../state/shared-contacts.ts';

interface SharedContactsNoticeProps {
  /** Takes the focus once the notice and its button are gone. */
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** Triggers a sync with the account's other devices, and lists what cannot be shared. */
export function SharedContactsNotice({ headingRef }: SharedContactsNoticeProps) {
  const userUuid = useUserUuid();
  const { unreadable, leftOutCount } = useSharedContacts();
  const [isAsking, setIsAsking] = useState(false);
  useEffect(askForContacts, []);

  const handleDelete = (): void => {
    setIsAsking(false);
    deleteUnreadable(userUuid);
  };

  return (
    <>
      {unreadable.length > 0 && (
        <Notice
          kind="info"
          title={m.send_contacts_unreadable_title({ count: unreadable.length })}
          action={
            <Button variant="quiet" onClick={() => setIsAsking(true)}>
              {m.send_contacts_unreadable_delete()}
            </Button>
          }
        >
          {m.send_contacts_unreadable_text()}
        </Notice>
      )}
      {leftOutCount > 0 && (
        <Notice kind="info">
          {m.send_contacts_left_out({ count: leftOutCount, max: CONTACTS_MAX })}
        </Notice>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={m.send_contacts_unreadable_ask()}
        text={m.send_contacts_unreadable_ask_text()}
        confirmLabel={m.common_delete()}
        isDanger
        onConfirm={handleDelete}
        onCancel={() => setIsAsking(false)}
        focusAfter={() => (unreadable.length === 0 ? headingRef.current : null)}
      />
    </>
  );
}
