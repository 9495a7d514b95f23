import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { titleOf, type Scanner } from './scanner-words.ts';

/** Releases a suspect device. Its stored entries are either booked or rejected for good. */
export function ClearDialog({ scanner, onClose }: { scanner: Scanner; onClose: () => void }) {
  const { run, isPending } = useAdminAction('clearScanner');
  const [isBooked, setIsBooked] = useState(true);
  const keptCount = scanner.offline?.keptCount ?? 0;
  return (
    <ActionDialog
      title={m.scanners_clear()}
      effect={m.scanners_clear_effect({ name: titleOf(scanner) })}
      actLabel={m.scanners_clear_act()}
      doneText={m.scanners_clear_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: scanner.id }, body: { isBooked, reason } })}
      onClose={onClose}
    >
      {keptCount > 0 && (
        <Checkbox isChecked={isBooked} onCheckedChange={setIsBooked}>
          <span className="text-dense">{m.scanners_clear_book({ count: keptCount })}</span>
        </Checkbox>
      )}
    </ActionDialog>
  );
}
