import { m } from '@athos/messages/messages';
import { EmailField } from '@athos/ui/fields/email-field';
import { TextField } from '@athos/ui/fields/text-field';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { RolePicker } from './role-picker.tsx';
import { ORGANISATION_TITLES } from '../../kit/organisations.ts';
import { optionsOf } from './staff-words.ts';
import {
  presentScope,
  scopeFault,
  scopeVenueIds,
  VenueScopeField,
  type VenueScope,
} from './venue-scope.tsx';

type Organisation = keyof typeof ORGANISATION_TITLES;

/** Invites a person by mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { run, isPending } = useAdminAction('inviteStaff');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [organisation, setOrganisation] = useState<Organisation>('brand');
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<VenueScope>();
  const scope = chosen ?? presentScope(roleIds);
  const missing =
    email.trim() === '' || name.trim() === ''
      ? m.console_staff_reason_who()
      : roleIds.length === 0
        ? m.console_staff_reason_role()
        : scopeFault(scope);
  return (
    <ActionDialog
      title={m.console_staff_invite_title()}
      effect={m.console_staff_invite_effect()}
      actLabel={m.console_staff_invite_act()}
      doneText={m.console_staff_invite_done({ email: email.trim() })}
      disabledReason={missing}
      isPending={isPending}
      run={(reason) =>
        run({
          body: { email, name, organisation, roleIds, venueIds: scopeVenueIds(scope), reason },
        })
      }
      onClose={onClose}
    >
      <EmailField value={email} onValueChange={setEmail} />
      <TextField label={m.console_me_name()} value={name} onValueChange={setName} maxLength={100} />
      <DenseSelect
        label={m.console_me_organisation()}
        value={organisation}
        onValueChange={(next) => setOrganisation(next as Organisation)}
        options={optionsOf(ORGANISATION_TITLES)}
      />
      <RolePicker roleIds={roleIds} onChange={setRoleIds} />
      <VenueScopeField scope={scope} onChange={setChosen} />
    </ActionDialog>
  );
}
