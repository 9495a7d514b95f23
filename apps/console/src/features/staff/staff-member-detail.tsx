import { m } from '@athos/messages/messages';
import { lazy, Suspense, useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, Section } from '../../kit/detail.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { SessionList } from '../../kit/session-list.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import type { MemberAct } from './member-dialogs.tsx';
import { ORGANISATION_TITLES } from '../../kit/organisations.ts';
import { STATE_TITLES, STATE_TONES } from './staff-words.ts';

const MemberDialog = lazy(async () => ({
  default: (await import('./member-dialogs.tsx')).MemberDialog,
}));

export type Member = AdminAnswer<'staffMember'>;

/** One person: state and roles, sign-in factors, sessions, and the audit entries about them. */
export function StaffMemberDetail({ id }: { id: string }) {
  const read = useAdminItem('staffMember', { params: { id } });
  const [act, setAct] = useState<MemberAct>();
  return (
    <DetailOf read={read} kind={m.console_staff_member()} backTo={paths.staff}>
      {(member) => (
        <Detail
          kind={m.console_staff_member()}
          title={member.name || member.email}
          plainTitle={member.name || member.email}
          state={<Badge tone={STATE_TONES[member.state]}>{STATE_TITLES[member.state]()}</Badge>}
          actions={<MemberActions member={member} onAct={setAct} />}
          backTo={paths.staff}
        >
          <MemberFacts member={member} />
          <Sessions member={member} />
          <AuditOf type="staff" id={member.id} />
          {act !== undefined && (
            <Suspense fallback={null}>
              <MemberDialog act={act} member={member} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

interface MemberActionsProps {
  member: Member;
  onAct: (act: MemberAct) => void;
}

/** The actions that the person's state permits. */
function MemberActions({ member, onAct }: MemberActionsProps) {
  const lack = useLack()('staff.manage');
  const { state } = member;
  const unless = (isPossible: boolean, reason: string): string | undefined =>
    lack ?? (isPossible ? undefined : reason);
  const isHere = state === 'active' || state === 'invited';
  return (
    <ActionMenu
      actions={[
        {
          label: m.console_staff_roles_act(),
          disabledReason: unless(state !== 'left', m.console_staff_reason_left()),
          onPress: () => onAct('roles'),
        },
        {
          label: m.console_staff_invite_again(),
          disabledReason: unless(state === 'invited', m.console_staff_reason_accepted()),
          onPress: () => onAct('inviteAgain'),
        },
        {
          label: m.console_staff_reset(),
          disabledReason: unless(state === 'active', m.console_staff_reason_not_active()),
          onPress: () => onAct('reset'),
        },
        state === 'suspended'
          ? {
              label: m.console_staff_reactivate(),
              disabledReason: lack,
              onPress: () => onAct('reactivate'),
            }
          : {
              label: m.console_staff_suspend(),
              isDanger: true,
              disabledReason: unless(isHere, m.console_staff_reason_left()),
              onPress: () => onAct('suspend'),
            },
        {
          label: m.console_staff_end(),
          isDanger: true,
          disabledReason: unless(state !== 'left', m.console_staff_reason_left()),
          onPress: () => onAct('end'),
        },
      ]}
    />
  );
}

const FACTOR_TITLES = {
  totp: m.console_factor_totp,
  passkey: m.console_factor_passkey,
};

function MemberFacts({ member }: { member: Member }) {
  const { inviteExpiresAt } = member;
  return (
    <Facts
      facts={[
        { label: m.common_email(), value: member.email },
        {
          label: m.console_me_organisation(),
          value: ORGANISATION_TITLES[member.organisation](),
        },
        { label: m.console_me_roles(), value: member.roles.map(({ title }) => title).join(', ') },
        { label: m.console_staff_venues(), value: <VenuesSeen venueIds={member.venueIds} /> },
        {
          label: m.console_me_factors(),
          value:
            member.factorKinds.length === 0
              ? m.console_none()
              : member.factorKinds.map((kind) => FACTOR_TITLES[kind]()).join(', '),
        },
        { label: m.common_recovery_title(), value: member.recoveryCodesLeft },
        {
          label: m.console_staff_invite_until(),
          value: inviteExpiresAt !== null && <Time at={inviteExpiresAt} />,
          isHidden: inviteExpiresAt === null,
        },
        {
          label: m.console_staff_wallet(),
          value: <CopyId id={member.walletUuid ?? ''} />,
          isHidden: member.walletUuid === null,
        },
        { label: m.console_staff_since(), value: <Time at={member.createdAt} precision="day" /> },
        { label: m.console_id(), value: <CopyId id={member.id} /> },
      ]}
    />
  );
}

/** Names of the venues, or their number if the names cannot be read. */
function VenuesSeen({ venueIds }: Pick<Member, 'venueIds'>) {
  const isNamed = useHolds()('scans.read') && venueIds.length > 0;
  const { item } = useAdminItem('venueNames', {}, { isAsked: isNamed });
  if (venueIds.length === 0) return m.console_staff_venues_all();
  if (item === undefined) return m.console_staff_venues_seen({ count: venueIds.length });
  const names = new Map(item.items.map(({ id, name }) => [id, name]));
  return venueIds.map((id) => names.get(id) ?? m.console_staff_venue({ id })).join(', ');
}

function Sessions({ member }: { member: Member }) {
  const end = useAdminAction('endStaffSession');
  const { id, sessions } = member;
  return (
    <Section title={m.console_staff_sessions()}>
      {sessions.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.console_none()}</p>
      ) : (
        <SessionList
          sessions={sessions}
          isPending={end.isPending}
          onEnd={(sessionId) => end.run({ params: { id, sessionId } })}
        />
      )}
    </Section>
  );
}
