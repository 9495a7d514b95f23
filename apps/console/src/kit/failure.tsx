/** Shown in place of something that could not be read. */
import type { Permission } from '@athos/contract/console/permissions';
import { PERMISSIONS } from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Notice } from '@athos/ui/primitives/notice';
import Lock from 'lucide-react/icons/lock';
import SearchX from 'lucide-react/icons/search-x';
import type { Failure } from '../api/admin.ts';
import { roleTitle, roleTitlesWith } from './permission.ts';

const isPermission = (name: string | undefined): name is Permission =>
  PERMISSIONS.some((permission) => permission === name);

export function FailureView(props: { failure: Failure; onRetry: () => void }) {
  const { failure, onRetry } = props;
  if (failure.kind === 'forbidden') return <Forbidden permission={failure.permission} />;
  if (failure.kind === 'not_found') return <NotFound />;
  const isOffline = failure.kind === 'offline';
  return (
    <Notice
      kind="danger"
      title={isOffline ? m.console_failed_offline_title() : m.console_failed_title()}
      action={
        <Button variant="quiet" isDense onClick={onRetry}>
          {m.common_try_again()}
        </Button>
      }
    >
      {textOf(failure.kind)}
    </Notice>
  );
}

function textOf(kind: Failure['kind']): string {
  if (kind === 'offline') return m.console_failed_offline();
  return kind === 'too_slow' ? m.console_too_slow() : m.console_failed();
}

interface ForbiddenProps {
  permission: string | undefined;
  /** The page's heading already says that access is denied. */
  isTitled?: boolean;
}

/** Names the missing permission and who can grant it (O-031). */
export function Forbidden({ permission, isTitled = false }: ForbiddenProps) {
  return (
    <EmptyState
      icon={<Lock size={28} aria-hidden />}
      {...(!isTitled && { title: m.console_forbidden_title() })}
      text={
        isPermission(permission) ? (
          <>
            {m.console_forbidden_permission()}{' '}
            <code className="font-code text-dense text-ink break-all">{permission}</code>.{' '}
            {m.console_forbidden_roles({ roles: roleTitlesWith(permission) })}{' '}
            {m.console_forbidden_grant({ role: roleTitle('provider_owner') })}
          </>
        ) : (
          m.console_forbidden_other({ role: roleTitle('provider_owner') })
        )
      }
    />
  );
}

export function NotFound() {
  return (
    <EmptyState
      icon={<SearchX size={28} aria-hidden />}
      title={m.console_not_found_title()}
      text={m.console_not_found()}
    />
  );
}
