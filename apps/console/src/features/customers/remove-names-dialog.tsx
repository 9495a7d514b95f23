import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import type { Customer } from './customer-screen.tsx';

/** Removes the chosen names. If only one exists, it is chosen already. */
export function RemoveNamesDialog({
  customer: {
    uuid,
    publicNames: { displayName, handle },
  },
  onClose,
}: {
  customer: Customer;
  onClose: () => void;
}) {
  const { run, isPending } = useAdminAction('removePublicNames');
  const [isName, setIsName] = useState(handle === null);
  const [isHandle, setIsHandle] = useState(displayName === null);
  const effects = [
    ...(isName ? [m.customers_names_effect_name()] : []),
    ...(isHandle ? [m.customers_names_effect_handle()] : []),
  ];
  return (
    <ActionDialog
      title={m.customers_names_remove()}
      effect={effects.length === 0 ? m.customers_names_effect_none() : effects.join(' ')}
      actLabel={m.customers_names_act()}
      isDanger
      doneText={m.customers_names_done()}
      disabledReason={effects.length === 0 ? m.customers_names_choose() : undefined}
      isPending={isPending}
      run={(reason) =>
        run({
          params: { uuid },
          body: {
            ...(isName && displayName !== null && { displayName }),
            ...(isHandle && handle !== null && { handle }),
            reason,
          },
        })
      }
      onClose={onClose}
    >
      <fieldset>
        <legend className="text-caption text-ink-quiet font-semibold">
          {m.customers_names_what()}
        </legend>
        {displayName !== null && (
          <Checkbox isChecked={isName} onCheckedChange={setIsName}>
            <span className="text-dense wrap-anywhere">
              {m.customers_names_name()}: <bdi>{displayName}</bdi>
            </span>
          </Checkbox>
        )}
        {handle !== null && (
          <Checkbox isChecked={isHandle} onCheckedChange={setIsHandle}>
            <span className="text-dense wrap-anywhere">
              {m.customers_names_handle()}: @{handle}
            </span>
          </Checkbox>
        )}
      </fieldset>
    </ActionDialog>
  );
}
