/** Permissions by role in one table, as the server checks them. */
import {
  BUILT_IN_ROLES,
  MARKS,
  PERMISSIONS,
  type Permission,
} from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { Facts } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { useIsDesk } from '../../kit/list-detail.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { RoleForm } from './role-form.tsx';
import { MARK_WORDS, type Role } from './roles.ts';

export function RolesScreen() {
  const { item, failure, reload } = useAdminItem('roleList', {});
  const lack = useLack();
  const [edited, setEdited] = useState<Role | 'new'>();
  const sum = item?.items.length;
  if (edited !== undefined) {
    return (
      <RoleForm role={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
    );
  }
  return (
    <Page
      title={m.console_roles_title()}
      count={sum === undefined ? undefined : String(sum)}
      actions={
        <Button
          isDense
          icon={<Plus size={16} aria-hidden />}
          disabledReason={lack('staff.manage')}
          onClick={() => setEdited('new')}
        >
          {m.console_role_new()}
        </Button>
      }
    >
      <Legend />
      {failure !== undefined && item === undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item === undefined ? (
        failure === undefined && <Skeleton className="h-96 w-full" />
      ) : (
        <Roles roles={item.items} canEdit={lack('staff.manage') === undefined} onEdit={setEdited} />
      )}
    </Page>
  );
}

function Legend() {
  return (
    <ul className="text-caption text-ink-quiet flex flex-wrap gap-x-5 gap-y-1">
      {MARKS.map((mark) => (
        <li key={mark} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="text-ink w-6 text-center">
            {mark}
          </span>
          {MARK_WORDS[mark]()}
        </li>
      ))}
    </ul>
  );
}

interface MatrixProps {
  roles: readonly Role[];
  canEdit: boolean;
  onEdit: (role: Role) => void;
}

/** All roles side by side, or one at a time where there is no room. */
function Roles(props: MatrixProps) {
  return useIsDesk() ? <Matrix {...props} /> : <OneRole {...props} />;
}

function OneRole({ roles, canEdit, onEdit }: MatrixProps) {
  const [id, setId] = useState(roles[0]?.id ?? '');
  const role = roles.find((candidate) => candidate.id === id);
  return (
    <div className="flex flex-col gap-4">
      <DenseSelect
        label={m.console_role()}
        value={id}
        onValueChange={setId}
        options={inOrder(roles).map((one) => ({ value: one.id, label: one.title }))}
      />
      {role !== undefined && !role.isBuiltIn && canEdit && (
        <Button variant="quiet" isDense onClick={() => onEdit(role)}>
          {m.console_role_change()}
        </Button>
      )}
      <Facts
        facts={PERMISSIONS.flatMap((permission) => {
          const mark = role?.grants[permission];
          return mark === undefined ? [] : [{ label: permission, value: MARK_WORDS[mark]() }];
        })}
      />
    </div>
  );
}

/** Built-in roles in the order of the contract, then custom ones. */
const inOrder = (roles: readonly Role[]): readonly Role[] =>
  roles.toSorted((one, other) => orderOf(one) - orderOf(other));

function orderOf({ id }: Role): number {
  const place = BUILT_IN_ROLES.findIndex((role) => role === id);
  return place === -1 ? BUILT_IN_ROLES.length : place;
}

function Matrix({ roles, canEdit, onEdit }: MatrixProps) {
  const columns = inOrder(roles);
  return (
    <div
      role="region"
      aria-label={m.console_roles_title()}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways by keyboard
      tabIndex={0}
      className="rounded-small bg-surface border-line relative overflow-auto border"
    >
      <table className="text-dense w-full border-collapse">
        <thead>
          <tr className="border-line border-b">
            <th
              scope="col"
              className={classNames(stuckClass, 'text-caption text-ink-quiet h-12 font-semibold')}
            >
              {m.console_permission()}
            </th>
            {columns.map((role) => (
              <th
                key={role.id}
                scope="col"
                className="text-caption min-w-24 px-2 py-2 align-bottom"
              >
                {role.isBuiltIn || !canEdit ? (
                  role.title
                ) : (
                  <Button variant="plain" isDense onClick={() => onEdit(role)}>
                    {role.title}
                  </Button>
                )}
                <span className="text-ink-quiet tabular block font-normal">
                  {m.console_role_people({ count: role.staffCount })}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {PERMISSIONS.map((permission) => (
            <PermissionRow key={permission} permission={permission} roles={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const stuckClass = 'bg-surface sticky left-0 z-10 px-3 text-left';

function PermissionRow(props: { permission: Permission; roles: readonly Role[] }) {
  const { permission, roles } = props;
  return (
    <tr className="hover:bg-sunken h-9">
      <th scope="row" className={classNames(stuckClass, 'font-code text-caption font-normal')}>
        {permission}
      </th>
      {roles.map(({ id, grants }) => {
        const mark = grants[permission];
        return (
          <td key={id} className="px-2 text-center">
            {mark === undefined ? (
              <span className="sr-only">{m.console_none()}</span>
            ) : (
              <>
                <span aria-hidden="true">{mark}</span>
                <span className="sr-only">{MARK_WORDS[mark]()}</span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}
