/** The security of the account: what its owner sees and changes in the settings. */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { passwordText, sessionAnswer } from '../session.ts';
import { madePasskey, makeOptions, usedPasskey, useOptions } from '../passkeys.ts';
import { acceptedAnswer, timeText, uuidParam } from '../values.ts';

/** Room for spaces and dashes between the symbols of a recovery code. */
const CODE_LENGTH_MAX = 40;

/** The way in which a session was opened. */
export const SIGN_IN_METHODS = ['password', 'link', 'totp', 'recovery_code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Six digits of an authenticator app, or a recovery code in any spelling. */
const codeText = z
  .string()
  .min(1, 'must not be empty')
  .max(CODE_LENGTH_MAX, `must have at most ${CODE_LENGTH_MAX} characters`);

const challengeId = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the id of a sign-in');
/** 32 random bytes as base64url. */
const mailedCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the code of a link that was mailed');
const PASSKEY_NAME_LENGTH_MAX = 60;
const passkeyName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(PASSKEY_NAME_LENGTH_MAX, `must have at most ${PASSKEY_NAME_LENGTH_MAX} characters`);

/** The password and, if signing in requires a code, a code. */
const ownerProof = z.object({ password: passwordText, code: codeText.optional() });

/** They are shown only once. */
const shownCodes = z.object({ codes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' });

const ownSession = z.object({
  id: z.string(),
  /** Browser and system in words; `null` for a session that began before these were recorded. */
  device: z.string().nullable(),
  method: z.enum(SIGN_IN_METHODS).nullable(),
  begun_at: timeText,
  /** Rounded to ten minutes. */
  last_seen_at: timeText,
  is_current: z.boolean(),
});

export const securityCalls = {
  sessions: {
    method: 'GET',
    path: '/account/sessions',
    auth: 'user',
    summary: 'Where the account is signed in, newest first',
    answer: z.object({ sessions: z.array(ownSession) }).meta({ id: 'Sessions' }),
  },
  secondStep: {
    method: 'GET',
    path: '/account/second_step',
    auth: 'user',
    summary: 'Whether signing in takes a code too',
    answer: z
      .object({
        /** The time since which it is on; `null` if it is off. */
        totp_since: timeText.nullable(),
        /** The number of unused recovery codes. */
        recovery_codes_left: z.int(),
        /** The end of the waiting period of a recovery, after which no code is required; `null` if none is running. */
        recovery_ends_at: timeText.nullable(),
      })
      .meta({ id: 'SecondStep' }),
  },
  beginAuthenticator: {
    method: 'POST',
    path: '/account/totp/begin',
    auth: 'user',
    device: true,
    summary: 'Make the secret of an authenticator app',
    body: z.object({ password: passwordText }).meta({ id: 'BeginTotpRequest' }),
    answer: z.object({ secret: z.string(), address: z.string() }).meta({ id: 'TotpSecret' }),
  },
  confirmAuthenticator: {
    method: 'POST',
    path: '/account/totp/confirm',
    auth: 'user',
    summary: 'Ask for codes of the app from now on, and end every other session',
    body: z.object({ code: codeText }).meta({ id: 'ConfirmTotpRequest' }),
    answer: shownCodes,
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/account/totp/codes',
    auth: 'user',
    device: true,
    summary: 'Make new recovery codes, and end the ones before',
    body: z.object({ password: passwordText, code: codeText }).meta({ id: 'RenewCodesRequest' }),
    answer: shownCodes,
  },
  endAuthenticator: {
    method: 'POST',
    path: '/account/totp/end',
    auth: 'user',
    device: true,
    summary: 'Ask for codes no longer',
    body: z.object({ password: passwordText, code: codeText }).meta({ id: 'EndTotpRequest' }),
    answer: acceptedAnswer,
  },
  secondFactor: {
    method: 'POST',
    path: '/account/login/second_factor',
    auth: 'anyone',
    device: true,
    summary: 'Finish a sign-in that asked for a code',
    body: z
      .object({
        /** From the `second_factor_required` problem. */
        challenge_id: challengeId,
        code: codeText,
      })
      .meta({ id: 'SecondFactorRequest' }),
    answer: sessionAnswer,
  },
  askForRecovery: {
    method: 'POST',
    path: '/account/recovery/ask',
    auth: 'anyone',
    summary: 'Mail a link that begins the removal of a lost second step',
    body: z.object({ challenge_id: challengeId }).meta({ id: 'AskForRecovery' }),
    /** The end of the waiting period, if one is already running; nothing is mailed then. */
    answer: z.object({ ends_at: timeText.nullable() }).meta({ id: 'RecoveryAsked' }),
  },
  beginRecovery: {
    method: 'POST',
    path: '/account/recovery/begin',
    auth: 'anyone',
    summary: 'Begin the wait of 72 hours with the code of the mailed link',
    body: z.object({ code: mailedCode }).meta({ id: 'BeginRecovery' }),
    answer: z.object({ ends_at: timeText }).meta({ id: 'RecoveryBegun' }),
  },
  cancelRecovery: {
    method: 'POST',
    path: '/account/recovery/cancel',
    auth: 'anyone',
    summary: 'Stop the wait with the code of one of its mails',
    body: z.object({ code: mailedCode }).meta({ id: 'CancelRecovery' }),
    answer: acceptedAnswer,
  },
  stopRecovery: {
    method: 'POST',
    path: '/account/recovery/stop',
    auth: 'user',
    summary: 'Stop the wait from a session',
    answer: acceptedAnswer,
  },
  passkeyOptions: {
    method: 'POST',
    path: '/account/passkey/options',
    auth: 'anyone',
    summary: 'Begin a sign-in with a passkey',
    answer: useOptions,
  },
  signInByPasskey: {
    method: 'POST',
    path: '/account/passkey/sign_in',
    auth: 'anyone',
    device: true,
    summary: 'Sign in with a passkey',
    body: z.object({ passkey: usedPasskey }).meta({ id: 'PasskeySignInRequest' }),
    answer: sessionAnswer,
  },
  beginPasskey: {
    method: 'POST',
    path: '/account/passkey/begin',
    auth: 'user',
    device: true,
    summary: 'Begin to add a passkey',
    body: ownerProof.meta({ id: 'BeginPasskeyRequest' }),
    answer: makeOptions,
  },
  registerPasskey: {
    method: 'POST',
    path: '/account/passkey/register',
    auth: 'user',
    summary: 'Add the passkey that was made',
    body: z.object({ passkey: madePasskey }).meta({ id: 'RegisterPasskeyRequest' }),
    answer: acceptedAnswer,
  },
  passkeys: {
    method: 'GET',
    path: '/account/passkeys',
    auth: 'user',
    summary: 'Own passkeys, oldest first',
    answer: z
      .object({
        passkeys: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            added_at: timeText,
            /** `null` until it has signed in. */
            used_at: timeText.nullable(),
          }),
        ),
      })
      .meta({ id: 'Passkeys' }),
  },
  renamePasskey: {
    method: 'POST',
    path: '/account/passkeys/:id/rename',
    auth: 'user',
    summary: 'Name a passkey',
    params: uuidParam,
    body: z.object({ name: passkeyName }).meta({ id: 'RenamePasskeyRequest' }),
    answer: acceptedAnswer,
  },
  endPasskey: {
    method: 'POST',
    path: '/account/passkeys/:id/end',
    auth: 'user',
    device: true,
    summary: 'Remove a passkey',
    params: uuidParam,
    body: ownerProof.meta({ id: 'EndPasskeyRequest' }),
    answer: acceptedAnswer,
  },
  endSession: {
    method: 'POST',
    path: '/account/sessions/:id/end',
    auth: 'user',
    summary: 'Sign one device out',
    params: uuidParam,
    answer: acceptedAnswer,
  },
  endOtherSessions: {
    method: 'POST',
    path: '/account/sessions/end_others',
    auth: 'user',
    summary: 'Sign every other device out',
    answer: acceptedAnswer,
  },
} as const satisfies Calls;
