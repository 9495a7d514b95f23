/** How staff sign in and accept an invite. These calls need no session. */
import { z } from 'zod';
import { emailText } from '../session.ts';
import { timeText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { madePasskey, makeOptions, usedPasskey, useOptions } from '../passkeys.ts';
import {
  anyPassword,
  factorName,
  newPassword,
  ORGANISATIONS,
  personName,
  roleName,
} from './staff.ts';

/** A code of an authenticator app or a recovery code. */
const anyCode = z.string().trim().min(1, 'must not be empty').max(60);
const inviteCode = z.string().regex(/^[\w-]{43}$/, 'must be the code of an invite link');

/** The answer also sets the session cookie. */
const signedInAnswer = z
  .object({
    /** False means that only enrolling a second factor is allowed until the person has one. */
    is_enrolled: z.boolean(),
  })
  .meta({ id: 'StaffSignedIn' });

export const signInCalls = {
  signIn: {
    method: 'POST',
    path: '/admin/sign-in',
    auth: 'console_guest',
    summary: 'Sign in with password and a code',
    body: z
      .object({
        email: emailText,
        /** No minimum length, so that a short password is refused as wrong. */
        password: anyPassword,
        /** May be absent only while the person has no second factor. */
        code: anyCode.optional(),
      })
      .meta({ id: 'StaffSignIn' }),
    answer: signedInAnswer,
  },
  passkeySignInOptions: {
    method: 'POST',
    path: '/admin/sign-in/passkey/options',
    auth: 'console_guest',
    summary: 'Begin to sign in with a passkey',
    answer: useOptions,
  },
  passkeySignIn: {
    method: 'POST',
    path: '/admin/sign-in/passkey',
    auth: 'console_guest',
    summary: 'Sign in with a passkey alone',
    body: z.object({ passkey: usedPasskey }).meta({ id: 'StaffPasskeySignIn' }),
    answer: signedInAnswer,
  },
  invite: {
    method: 'POST',
    path: '/admin/invite',
    auth: 'console_guest',
    summary: 'The person an invite link is for',
    body: z.object({ code: inviteCode }),
    answer: z
      .object({
        email: z.string(),
        /** As the inviting person wrote it; may be empty. */
        name: z.string(),
        organisation: z.enum(ORGANISATIONS),
        roles: z.array(roleName),
        expires_at: timeText,
        has_passkeys: z.boolean(),
      })
      .meta({ id: 'StaffInvite' }),
  },
  invitePasskeyOptions: {
    method: 'POST',
    path: '/admin/invite/passkey/options',
    auth: 'console_guest',
    summary: 'Begin to accept an invite with a passkey',
    body: z.object({ code: inviteCode, name: personName }),
    answer: makeOptions,
  },
  acceptInvite: {
    method: 'POST',
    path: '/admin/invite/accept',
    auth: 'console_guest',
    summary: 'Accept an invite with a password or a passkey, and sign in',
    body: z
      .object({
        code: inviteCode,
        name: personName,
        password: newPassword.optional(),
        passkey: madePasskey.optional(),
        passkey_name: factorName.default('Passkey'),
      })
      .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
        error: 'must have either a password or a passkey',
      })
      .meta({ id: 'AcceptStaffInvite' }),
    answer: signedInAnswer,
  },
} as const satisfies ConsoleCalls;
