import { EXPORTED_CONTACTS_MAX } from '@athos/contract/console/console-call';
import type { ExportListName } from '@athos/contract/console/exports';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction, type Count } from '../api/admin.ts';
import type { AdminInput } from '../api/call.ts';
import { ActionDialog } from './action-dialog.tsx';
import { countText } from './list-page.tsx';
import { useHolds } from './permission.ts';

export interface ExportedList {
  readonly name: ExportListName;
  /** As in the address of the list. The server uses those that it knows. */
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly count: Count | undefined;
}

interface ExportDialogProps {
  list: ExportedList;
  onClose: () => void;
}

/** Requests a file of a list. Unmasked addresses need a reason, and those of many people require a vote. */
export function ExportDialog({ list: { name, filters, count }, onClose }: ExportDialogProps) {
  const { run, isPending } = useAdminAction('exportList');
  const holds = useHolds();
  const [withContact, setWithContact] = useState(false);
  return (
    <ActionDialog
      title={m.exports_this_list_title()}
      effect={
        count === undefined
          ? m.exports_effect_uncounted()
          : m.exports_effect({ count: countText(count) })
      }
      actLabel={m.exports_act()}
      doneText={m.exports_requested()}
      hasReason={withContact}
      isPending={isPending}
      run={(reason) => {
        const more = name === 'customers' ? { withContact, ...(withContact && { reason }) } : {};
        return run({ body: { list: name, filters, ...more } as AdminInput<'exportList'>['body'] });
      }}
      onClose={onClose}
    >
      {name === 'customers' && holds('customers.contact') && (
        <Checkbox isChecked={withContact} onCheckedChange={setWithContact}>
          <span className="text-dense">{m.exports_with_contact()}</span>
        </Checkbox>
      )}
      {withContact && (
        <p className="text-dense">
          {m.exports_with_contact_vote({ count: EXPORTED_CONTACTS_MAX.toLocaleString('en-US') })}
        </p>
      )}
    </ActionDialog>
  );
}
