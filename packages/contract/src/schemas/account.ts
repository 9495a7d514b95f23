import { z } from 'zod';
import {
  normalizeEmail,
  normalizePassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '@athos/domain/password';
import { assetName, balances, positiveUnitsText, unitsText, uuidText } from './common.ts';

/** Spec 6: the tenant is fixed at 1 and the mode is production. */
const tenant = { tenant_id: z.literal(1), mode: z.literal('production') };

export const emailText = z
  .string()
  .max(254, 'must have at most 254 characters')
  .transform(normalizeEmail)
  .pipe(z.email('must be an e-mail address'));

export const passwordText = z
  .string()
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .transform(normalizePassword)
  .pipe(
    z.string().min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`),
  );

/** A password to be set. Its rules are not of the wire: whatever breaks one is refused as `weak_password`. */
export const newPasswordText = z
  .string()
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .transform(normalizePassword)
  .pipe(z.string().min(1, 'must not be empty'));

/** Codes of mailed links: 32 random bytes as base64url. */
const linkCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{20,100}$/, 'must be the code of a link that was mailed');

export const registerBody = z
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
  .meta({ id: 'RegisterRequest' });
export const loginBody = z
  .object({ email: emailText, password: passwordText, ...tenant })
  .meta({ id: 'LoginRequest' });
export const verifyBody = z.object({ code: linkCode }).meta({ id: 'VerifyRequest' });
export const forgotPasswordBody = z
  .object({ email: emailText, ...tenant })
  .meta({ id: 'ForgotPasswordRequest' });
export const resetPasswordBody = z
  .object({ code: linkCode, new_password: newPasswordText })
  .meta({ id: 'ResetPasswordRequest' });
export const updatePasswordBody = z
  .object({ old_password: passwordText, password: newPasswordText })
  .meta({ id: 'UpdatePasswordRequest' });
export const deleteAccountBody = z
  .object({ password: passwordText })
  .meta({ id: 'DeleteAccountRequest' });
export const refreshQuery = z.object({ token: z.string().max(4096).optional() });
export const sessionAnswer = z
  .object({ token: z.string(), uuid: z.string() })
  .meta({ id: 'Session' });
/** An answer that says only that it was done, the same for every address. */
export const acceptedAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Accepted' });

export const balanceAnswer = z.object({ balance: unitsText, balances }).meta({ id: 'Balance' });
export const transferBody = z
  .object({ amount: positiveUnitsText, to_uuid: uuidText, asset: assetName.default('ATH') })
  .meta({ id: 'TransferRequest' });
export const transferAnswer = z
  .object({ id: z.int(), balance: unitsText })
  .meta({ id: 'Transfer' });
export const signBody = z.object({ data: z.string().max(2048) }).meta({ id: 'SignRequest' });
export const signAnswer = z.object({ signature: z.string() }).meta({ id: 'Signature' });

export const jwksAnswer = z
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
  .meta({ id: 'JsonWebKeySet' });
