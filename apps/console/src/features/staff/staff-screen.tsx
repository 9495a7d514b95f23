/** The people who run the programme. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import UserPlus from 'lucide-react/icons/user-plus';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { useLack } from '../../kit/permission.ts';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { StaffMemberDetail } from './staff-member-detail.tsx';
import { ORGANISATION_TITLES } from '../../kit/organisations.ts';
import { optionsOf, STATE_TITLES, STATE_TONES } from './staff-words.ts';

const InviteDialog = lazy(async () => ({
  default: (await import('./invite-dialog.tsx')).InviteDialog,
}));

type Member = RowOf<'staffList'>;

const filters = (): readonly Filter[] => [
  { id: 'state', label: m.console_state(), kind: 'choice', options: optionsOf(STATE_TITLES) },
  {
    id: 'organisation',
    label: m.console_me_organisation(),
    kind: 'choice',
    options: optionsOf(ORGANISATION_TITLES),
  },
];

const columns = (): readonly Column<Member>[] => [
  { id: 'name', title: m.console_me_name(), cell: ({ name, email }) => name || email },
  {
    id: 'state',
    title: m.console_state(),
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_TITLES[state]()}</Badge>,
  },
  { id: 'email', title: m.common_email(), cell: ({ email }) => email, from: 'large' },
  {
    id: 'organisation',
    title: m.console_me_organisation(),
    cell: ({ organisation }) => ORGANISATION_TITLES[organisation](),
    from: 'large',
  },
  {
    id: 'roles',
    title: m.console_me_roles(),
    cell: ({ roles }) => roles.map(({ title }) => title).join(', '),
    from: 'medium',
  },
  {
    id: 'seenAt',
    title: m.console_staff_seen(),
    cell: ({ seenAt }) => (seenAt === null ? m.console_never() : <Time at={seenAt} />),
    align: 'end',
    from: 'medium',
  },
];

export function StaffScreen() {
  const { id } = useParams();
  const lack = useLack();
  const view = useListView(filters());
  const list = useAdminList('staffList', view.query);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <ListDetail
        list={
          <ListPage
            title={m.console_staff_title()}
            list={list}
            view={view}
            filters={filters()}
            columns={columns()}
            keyOf={(member) => member.id}
            pathOf={(member) => paths.staffMember(member.id)}
            openKey={id}
            path={paths.staff}
            emptyText={m.console_staff_empty()}
            actions={
              <Button
                isDense
                icon={<UserPlus size={16} aria-hidden />}
                disabledReason={lack('staff.manage')}
                onClick={() => setIsInviting(true)}
              >
                {m.console_staff_invite()}
              </Button>
            }
          />
        }
        detail={id === undefined ? undefined : <StaffMemberDetail key={id} id={id} />}
      />
      {isInviting && (
        <Suspense fallback={null}>
          <InviteDialog onClose={() => setIsInviting(false)} />
        </Suspense>
      )}
    </>
  );
}
