import { z } from 'zod';
import { normalizePassword, PASSWORD_LENGTH_MAX } from '@athos/domain/password';
import type { Calls } from '../call.ts';
import { emailText, passwordText, sessionAnswer, tenant } from '../session.ts';
import { acceptedAnswer } from '../values.ts';

/** A new password. The schema leaves the rules to the server, which refuses a violation as `weak_password`. */
const newPasswordText = z
  .string()
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .transform(normalizePassword)
  .pipe(z.string().min(1, 'must not be empty'));

/** The code in a mailed link: 32 random bytes as base64url. */
const linkCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,100}$/, 'must be the code of a link that was mailed');

export const identityCalls = {
  register: {
    method: 'POST',
    path: '/account/register',
    auth: 'anyone',
    device: true,
    summary: 'Create an account and mail a verification link',
    body: z
      .object({
        email: emailText,
        password: newPasswordText,
        ...tenant,
        /** The version of the terms that the sign-up screen showed. */
        terms_version: z
          .string()
          .regex(/^[\w.-]{1,40}$/, 'must be a version such as "1.0"')
          .optional(),
      })
      .meta({ id: 'RegisterRequest' }),
    answer: acceptedAnswer,
  },
  verify: {
    method: 'POST',
    path: '/account/verify',
    auth: 'anyone',
    device: true,
    summary: 'Open the account that a mailed link belongs to',
    body: z
      .object({
        code: linkCode,
        /**
         * The password of the sign-up, required on any device but the one that signed up. No minimum length, so that a short password is
         * refused as wrong.
         */
        password: z
          .string()
          .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
          .transform(normalizePassword)
          .optional(),
      })
      .meta({ id: 'VerifyRequest' }),
    answer: sessionAnswer,
  },
  forgotPassword: {
    method: 'POST',
    path: '/account/forgot_password',
    auth: 'anyone',
    device: true,
    summary: 'Mail a link that resets the password',
    body: z.object({ email: emailText, ...tenant }).meta({ id: 'ForgotPasswordRequest' }),
    answer: acceptedAnswer,
  },
  resetPassword: {
    method: 'POST',
    path: '/account/reset_password',
    auth: 'anyone',
    summary: 'Set a new password with a mailed code',
    body: z
      .object({ code: linkCode, new_password: newPasswordText })
      .meta({ id: 'ResetPasswordRequest' }),
    answer: acceptedAnswer,
  },
  profile: {
    method: 'GET',
    path: '/account/profile',
    auth: 'user',
    summary: 'Whose account it is',
    answer: z.object({ uuid: z.string(), email: z.string() }).meta({ id: 'Profile' }),
  },
  updatePassword: {
    method: 'PUT',
    path: '/account/update_password',
    auth: 'user',
    keyed: true,
    device: true,
    summary: 'Change the password, and end every other session',
    body: z
      .object({ old_password: passwordText, password: newPasswordText })
      .meta({ id: 'UpdatePasswordRequest' }),
    answer: acceptedAnswer,
  },
  deleteAccount: {
    method: 'POST',
    path: '/account/delete',
    auth: 'user',
    keyed: true,
    device: true,
    summary: 'Delete the account permanently and forfeit its balance',
    body: z.object({ password: passwordText }).meta({ id: 'DeleteAccountRequest' }),
    answer: acceptedAnswer,
  },
  jwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    auth: 'anyone',
    summary: 'Public keys of tokens and QR codes',
    answer: z
      .object({
        keys: z.array(
          z.object({
            kty: z.literal('OKP'),
            crv: z.literal('Ed25519'),
            x: z.string(),
            kid: z.string(),
            alg: z.literal('EdDSA'),
            use: z.literal('sig'),
          }),
        ),
      })
      .meta({ id: 'JsonWebKeySet' }),
  },
} as const satisfies Calls;
