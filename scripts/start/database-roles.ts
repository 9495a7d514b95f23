import { randomBytes } from 'node:crypto';
import { addressAs, ensureRoles, type LoginRole } from '../../apps/api/src/roles.ts';

const ROLES = ['athos_migrate', 'athos_api', 'athos_worker'] as const satisfies LoginRole[];
type ProgramRole = (typeof ROLES)[number];

/**
 * Makes the roles of the embedded database, and returns its addresses for the programs, which run with the rights that they have in
 * production (decision 0048). The passwords are new at each start, so none has to be kept.
 */
export async function addressesOfRoles(
  superuserUrl: string,
): Promise<Readonly<Record<ProgramRole, string>>> {
  const passwords = Object.fromEntries(
    ROLES.map((role) => [role, randomBytes(24).toString('base64url')]),
  ) as Record<ProgramRole, string>;
  await ensureRoles(superuserUrl, passwords);
  const addressOf = (role: ProgramRole): string => addressAs(superuserUrl, role, passwords[role]);
  return {
    athos_migrate: addressOf('athos_migrate'),
    athos_api: addressOf('athos_api'),
    athos_worker: addressOf('athos_worker'),
  };
}
