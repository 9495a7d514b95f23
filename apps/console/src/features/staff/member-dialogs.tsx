/** The dialogs with the actions on a member of staff. Each requires a reason, and most a proof. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { RolePicker } from './role-picker.tsx';
import type { Member } from './staff-member-detail.tsx';
import {
  presentScope,
  scopeFault,
  scopeVenueIds,
  VenueScopeField,
  type VenueScope,
} from './venue-scope.tsx';

export type MemberAct = 'roles' | 'inviteAgain' | SimpleAct;
type SimpleAct = 'reset' | 'suspend' | 'reactivate' | 'end';

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

export function MemberDialog({ act, ...props }: MemberDialogProps & { act: MemberAct }) {
  if (act === 'roles') return <RolesDialog {...props} />;
  if (act === 'inviteAgain') return <InviteAgainDialog {...props} />;
  return <SimpleDialog {...props} act={act} />;
}

function RolesDialog({ member, onClose }: MemberDialogProps) {
  const { run, isPending } = useAdminAction('changeStaffRoles');
  const [roleIds, setRoleIds] = useState<readonly string[]>(member.roles.map(({ id }) => id));
  const [chosen, setChosen] = useState<VenueScope>();
  const scope = chosen ?? presentScope(roleIds, member);
  const fault = roleIds.length === 0 ? m.console_staff_reason_role() : scopeFault(scope);
  return (
    <ActionDialog
      title={m.console_staff_roles_title({ name: member.name })}
      effect={m.console_staff_roles_effect()}
      actLabel={m.console_staff_roles_act()}
      doneText={m.console_saved()}
      disabledReason={fault}
      isPending={isPending}
      run={(reason) =>
        run(
          { params: { id: member.id }, body: { roleIds, venueIds: scopeVenueIds(scope), reason } },
          member.version,
        )
      }
      onClose={onClose}
    >
      <RolePicker roleIds={roleIds} onChange={setRoleIds} />
      <VenueScopeField scope={scope} onChange={setChosen} />
    </ActionDialog>
  );
}

function InviteAgainDialog({ member, onClose }: MemberDialogProps) {
  const { run, isPending } = useAdminAction('inviteAgain');
  return (
    <ActionDialog
      title={m.console_staff_invite_again()}
      effect={m.console_staff_invite_again_effect({ email: member.email })}
      actLabel={m.console_staff_invite_act()}
      doneText={m.console_staff_invite_done({ email: member.email })}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: member.id } })}
      onClose={onClose}
    />
  );
}

const CALLS = {
  reset: 'resetStaff',
  suspend: 'suspendStaff',
  reactivate: 'reactivateStaff',
  end: 'endStaff',
} as const;

const EFFECTS: Readonly<Record<SimpleAct, (inputs: { name: string }) => string>> = {
  reset: m.console_staff_reset_effect,
  suspend: m.console_staff_suspend_effect,
  reactivate: m.console_staff_reactivate_effect,
  end: m.console_staff_end_effect,
};

const ACTS: Readonly<Record<SimpleAct, () => string>> = {
  reset: m.console_staff_reset,
  suspend: m.console_staff_suspend,
  reactivate: m.console_staff_reactivate,
  end: m.console_staff_end,
};

function SimpleDialog({ act, member, onClose }: MemberDialogProps & { act: SimpleAct }) {
  const { run, isPending } = useAdminAction(CALLS[act]);
  const label = ACTS[act]();
  const sessionCount = member.sessions.length;
  return (
    <ActionDialog
      title={label}
      effect={
        <>
          {EFFECTS[act]({ name: member.name || member.email })}
          {act !== 'reactivate' && sessionCount > 0 && (
            <> {m.console_staff_sessions_end({ count: sessionCount })}</>
          )}
        </>
      }
      actLabel={label}
      isDanger={act !== 'reactivate'}
      doneText={m.console_saved()}
      isPending={isPending}
      run={(reason): Promise<ActionOutcome<(typeof CALLS)[SimpleAct]>> =>
        run({ params: { id: member.id }, body: { reason } })
      }
      onClose={onClose}
    />
  );
}
