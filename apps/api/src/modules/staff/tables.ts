import type { Generated } from 'kysely';
import type { Grants } from '@athos/contract/console/permissions';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Staff {
  id: Generated<string>;
  email: string;
  name: string;
  organisation: 'provider' | 'brand';
  state: WithDefault<'invited' | 'active' | 'suspended' | 'left'>;
  password_hash: string | null;
  wallet_uuid: string | null;
  is_demo: WithDefault<boolean>;
  version: WithDefault<number>;
  created_at: Date;
}

interface Roles {
  id: string;
  title: string;
  grants: Grants | null;
  version: WithDefault<number>;
  created_at: WithDefault<Date>;
}

interface StaffRoles {
  staff_id: string;
  role_id: string;
  granted_at: Date;
  granted_by: string | null;
}

interface StaffSessionRows {
  id: string;
  token_hash: Buffer;
  staff_id: string;
  is_enrolled: boolean;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  proved_at: Date | null;
  moved_usd_cents: WithDefault<bigint>;
  browser: WithDefault<string>;
  place: WithDefault<string>;
}

interface StaffFactors {
  id: string;
  staff_id: string;
  kind: 'totp' | 'passkey';
  name: string;
  created_at: Date;
  confirmed_at: Date | null;
  used_at: Date | null;
  secret: Buffer | null;
  last_step: bigint | null;
  credential_id: Buffer | null;
  public_key: Buffer | null;
  sign_count: bigint | null;
  transports: string[] | null;
}

interface StaffRecoveryCodes {
  staff_id: string;
  code_hash: Buffer;
  created_at: Date;
  used_at: Date | null;
}

interface StaffInvites {
  token_hash: Buffer;
  staff_id: string;
  created_at: Date;
  created_by: string | null;
  expires_at: Date;
}

interface StaffVenues {
  staff_id: string;
  venue_id: number;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    staff: Staff;
    roles: Roles;
    staff_roles: StaffRoles;
    staff_sessions: StaffSessionRows;
    staff_factors: StaffFactors;
    staff_recovery_codes: StaffRecoveryCodes;
    staff_invites: StaffInvites;
    staff_venues: StaffVenues;
  }
}
