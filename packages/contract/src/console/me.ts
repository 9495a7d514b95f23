/** The sign-in settings of a member of staff: factors, password, proof of presence and sessions. */
import { z } from 'zod';
import { acceptedAnswer, smallId, timeText, uuidParam, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { madePasskey, makeOptions, usedPasskey, useOptions } from '../passkeys.ts';
import { MARKS, PERMISSIONS } from './permissions.ts';
import { factorName, newPassword, ORGANISATIONS, roleName, staffSession } from './staff.ts';

/** Six digits of an authenticator app, with the space that most apps show. */
const totpCode = z
  .string()
  .max(20)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be six digits'));

const factor = z
  .object({
    id: z.string(),
    kind: z.enum(['totp', 'passkey']),
    name: z.string(),
    created_at: timeText,
    used_at: timeText.nullable(),
  })
  .meta({ id: 'StaffFactor' });

/** Calls with the permission `enrol` are also allowed without a second factor. */
export const meCalls = {
  me: {
    method: 'GET',
    path: '/admin/me',
    auth: 'console',
    permission: 'enrol',
    summary: 'Who is signed in, with permissions and factors',
    answer: z
      .object({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        organisation: z.enum(ORGANISATIONS),
        roles: z.array(roleName),
        /** A mark for each permission that the roles grant. */
        grants: z.partialRecord(z.enum(PERMISSIONS), z.enum(MARKS)),
        /** The venues to which the person is bound. Empty means all venues. */
        venue_ids: z.array(smallId),
        wallet_uuid: z.string().nullable(),
        /** The programme's time zone, in which times are shown. */
        time_zone: z.string(),
        is_enrolled: z.boolean(),
        has_password: z.boolean(),
        /** False if the console's address is an IP address. */
        has_passkeys: z.boolean(),
        factors: z.array(factor),
        recovery_codes_left: z.int(),
        session: z.object({
          id: z.string(),
          expires_at: timeText,
          /** When somebody's last call was noted, at most 10 s after it. */
          seen_at: timeText,
          /** The session also ends this long after the last call. */
          idle_seconds: z.int(),
          /** The time until which sensitive actions need no new proof. Null means that the next one does. */
          proved_until: timeText.nullable(),
        }),
      })
      .meta({ id: 'StaffSelf' }),
  },
  signOut: {
    method: 'DELETE',
    path: '/admin/me/session',
    auth: 'console',
    permission: 'enrol',
    audit: { action: 'session.sign_out', subject: 'staff' },
    summary: 'End this session',
    answer: acceptedAnswer,
  },
  beginTotp: {
    method: 'PUT',
    path: '/admin/me/totp',
    auth: 'console',
    permission: 'enrol',
    secret: true,
    audit: { action: 'factor.begin', subject: 'staff' },
    summary: 'Create the secret of an authenticator app, in place of an unconfirmed one',
    answer: z
      .object({
        /** In base 32, for typing. */
        secret: z.string(),
        /** For the QR code. */
        address: z.string(),
      })
      .meta({ id: 'TotpSecret' }),
  },
  confirmTotp: {
    method: 'POST',
    path: '/admin/me/totp/confirm',
    auth: 'console',
    permission: 'enrol',
    audit: { action: 'factor.add', subject: 'staff' },
    summary: 'Confirm the authenticator app with its first code',
    body: z.object({ code: totpCode, name: factorName }).meta({ id: 'ConfirmTotp' }),
    answer: acceptedAnswer,
  },
  newPasskeyOptions: {
    method: 'GET',
    path: '/admin/me/passkeys/options',
    auth: 'console',
    permission: 'enrol',
    summary: 'Begin to add a passkey',
    answer: makeOptions,
  },
  addPasskey: {
    method: 'POST',
    path: '/admin/me/passkeys',
    auth: 'console',
    permission: 'enrol',
    audit: { action: 'factor.add', subject: 'staff' },
    summary: 'Add a passkey',
    body: z.object({ passkey: madePasskey, name: factorName }).meta({ id: 'AddPasskey' }),
    answer: acceptedAnswer,
  },
  removeFactor: {
    method: 'DELETE',
    path: '/admin/me/factors/:id',
    auth: 'console',
    permission: 'own',
    proof: true,
    audit: { action: 'factor.remove', subject: 'staff' },
    summary: 'Remove a factor, except the last one',
    params: uuidParam,
    answer: acceptedAnswer,
  },
  makeRecoveryCodes: {
    method: 'PUT',
    path: '/admin/me/recovery-codes',
    auth: 'console',
    permission: 'own',
    proof: true,
    secret: true,
    audit: { action: 'factor.recovery_codes', subject: 'staff' },
    summary: 'Replace the recovery codes by ten new ones, which are shown once',
    answer: z.object({ codes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' }),
  },
  changeOwnPassword: {
    method: 'PUT',
    path: '/admin/me/password',
    auth: 'console',
    permission: 'own',
    proof: true,
    secret: true,
    audit: { action: 'staff.password', subject: 'staff' },
    summary: 'Set a password, and end every other session',
    body: z.object({ password: newPassword }).meta({ id: 'StaffPassword' }),
    answer: acceptedAnswer,
  },
  nameOwnWallet: {
    method: 'PUT',
    path: '/admin/me/wallet',
    auth: 'console',
    permission: 'own',
    audit: { action: 'staff.wallet', subject: 'staff' },
    summary: 'Name one’s own wallet, once. Afterwards only others can change it',
    body: z.object({ wallet_uuid: uuidText }).meta({ id: 'OwnWallet' }),
    answer: acceptedAnswer,
  },
  proofOptions: {
    method: 'GET',
    path: '/admin/me/proof/options',
    auth: 'console',
    permission: 'own',
    summary: 'Begin a proof of presence with a passkey',
    answer: useOptions,
  },
  prove: {
    method: 'POST',
    path: '/admin/me/proof',
    auth: 'console',
    permission: 'own',
    audit: { action: 'session.prove', subject: 'staff' },
    summary: 'Give a proof of presence, which covers risky acts for some minutes',
    body: z
      .object({ code: totpCode.optional(), passkey: usedPasskey.optional() })
      .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
        error: 'must have either a code or a passkey',
      })
      .meta({ id: 'Proof' }),
    answer: z.object({ proved_until: timeText }).meta({ id: 'Proved' }),
  },
  ownSessions: {
    method: 'GET',
    path: '/admin/me/sessions',
    auth: 'console',
    permission: 'own',
    summary: 'The caller’s own sessions',
    answer: z.object({ items: z.array(staffSession) }).meta({ id: 'OwnStaffSessions' }),
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/admin/me/sessions/:id',
    auth: 'console',
    permission: 'own',
    audit: { action: 'session.end', subject: 'staff' },
    summary: 'End one of one’s own sessions',
    params: uuidParam,
    answer: acceptedAnswer,
  },
} as const satisfies ConsoleCalls;
