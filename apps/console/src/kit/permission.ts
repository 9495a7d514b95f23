/** The permissions of the signed-in person, and the texts for missing ones. */
import { useValue } from '@athos/app-core/value';
import {
  mayAct,
  rolesWith,
  type BuiltInRole,
  type Permission,
} from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import { session } from '../state/session.ts';
import { inWords } from './in-words.ts';

const ROLE_TITLES: Readonly<Record<BuiltInRole, () => string>> = {
  provider_owner: m.console_role_provider_owner,
  finance: m.console_role_finance,
  support: m.console_role_support,
  brand_manager: m.console_role_brand_manager,
  catalogue_editor: m.console_role_catalogue_editor,
  scanner_lead: m.console_role_scanner_lead,
  auditor: m.console_role_auditor,
};

/** The title of a built-in role, or the id of a custom one in words. */
export const roleTitle = (role: string): string =>
  role in ROLE_TITLES ? ROLE_TITLES[role as BuiltInRole]() : inWords(role);

/** `Finance, Support`: the built-in roles that hold a permission. */
export const roleTitlesWith = (permission: Permission): string =>
  rolesWith(permission).map(roleTitle).join(', ');

/** Whether the signed-in person holds a permission, to read or to act. */
export function useHolds(): (permission: Permission) => boolean {
  const current = useValue(session);
  const grants = current.status === 'signed_in' ? current.staff.grants : {};
  return (permission) => grants[permission] !== undefined;
}

/** The reason why the signed-in person may not act (O-032); `undefined` if they may. */
export function useLack(): (permission: Permission) => string | undefined {
  const current = useValue(session);
  const grants = current.status === 'signed_in' ? current.staff.grants : {};
  return (permission) =>
    mayAct(grants[permission])
      ? undefined
      : m.console_lacks_permission({ permission, roles: roleTitlesWith(permission) });
}
