import type { SignInMethod } from '@athos/contract/wallet/security';
import type { Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Users {
  id: Generated<bigint>;
  uuid: WithDefault<string>;
  email: string | null;
  password_hash: string | null;
  role: WithDefault<'user' | 'scanner' | 'operator'>;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  created_at: WithDefault<Date>;
  closed_at: Date | null;
}

interface SignUps {
  id: Generated<bigint>;
  email: string;
  password_hash: string;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  created_at: WithDefault<Date>;
  mailed_at: Date | null;
  device_hash: Buffer | null;
  place_hash: Buffer | null;
}

interface LinkCodes {
  code_hash: Buffer;
  purpose: 'verify' | 'reset';
  sign_up_id: bigint | null;
  user_id: bigint | null;
  expires_at: Date;
}

interface Sessions {
  id: WithDefault<string>;
  user_id: bigint;
  created_at: WithDefault<Date>;
  refreshed_at: WithDefault<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  label: string | null;
  method: SignInMethod | null;
  last_seen_at: Date | null;
}

interface KnownDevices {
  user_id: bigint;
  device_hash: Buffer;
  first_seen_at: WithDefault<Date>;
  last_seen_at: WithDefault<Date>;
}

interface TotpSecrets {
  id: string;
  user_id: bigint;
  secret: Buffer;
  created_at: Date;
  confirmed_at: Date | null;
  last_step: bigint | null;
}

interface RecoveryCodes {
  user_id: bigint;
  code_hash: Buffer;
  created_at: Date;
  used_at: Date | null;
}

interface PasskeyHandles {
  user_id: bigint;
  handle: Buffer;
}

interface Passkeys {
  id: string;
  user_id: bigint;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: bigint;
  transports: string[];
  name: string;
  created_at: Date;
  used_at: Date | null;
}

interface SignInChallenges {
  challenge_hash: Buffer;
  user_id: bigint;
  password_digest: Buffer;
  expires_at: Date;
  tries: WithDefault<number>;
}

interface SecondStepRecoveries {
  user_id: bigint;
  link_hash: Buffer | null;
  link_expires_at: Date | null;
  stop_hash: Buffer | null;
  stop_code: Buffer | null;
  begun_at: Date | null;
  ends_at: Date | null;
  reminded_at: Date | null;
}

interface MailedResets {
  user_id: bigint;
  reset_at: Date;
}

interface SendLimits {
  user_id: bigint;
  limited_until: Date;
}

interface LimitedSends {
  user_id: bigint;
  key: string;
  usd_cents: bigint;
  sent_at: Date;
}

interface ConfirmationLimits {
  user_id: bigint;
  usd_cents: bigint | null;
  next_usd_cents: bigint | null;
  next_from: Date | null;
  spent_usd_cents: WithDefault<bigint>;
}

interface CountedSpends {
  user_id: bigint;
  key: string;
  act_hash: Buffer;
  counted_at: Date;
}

interface PasswordChanges {
  user_id: bigint;
  key: string;
  request_hash: string;
  changed_at: Date;
}

interface AccountClosures {
  user_id: bigint;
  key: string;
  closed_at: Date;
  mail_to: Buffer | null;
  erased_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    users: Users;
    sign_ups: SignUps;
    link_codes: LinkCodes;
    sessions: Sessions;
    known_devices: KnownDevices;
    totp_secrets: TotpSecrets;
    recovery_codes: RecoveryCodes;
    passkey_handles: PasskeyHandles;
    passkeys: Passkeys;
    sign_in_challenges: SignInChallenges;
    second_step_recoveries: SecondStepRecoveries;
    mailed_resets: MailedResets;
    send_limits: SendLimits;
    limited_sends: LimitedSends;
    confirmation_limits: ConfirmationLimits;
    counted_spends: CountedSpends;
    password_changes: PasswordChanges;
    account_closures: AccountClosures;
  }
}
