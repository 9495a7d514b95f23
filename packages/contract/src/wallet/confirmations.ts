/** Fresh proofs of the caller's identity, for acts that spend much or make the account less safe (decision 0071). */
import { z } from 'zod';
import { CONFIRMATION_LIMIT_MAX } from '@athos/domain/confirmation-rules';
import type { Calls } from '../call.ts';
import { usedPasskey, useOptions } from '../passkeys.ts';
import { passwordText } from '../session.ts';
import { timeText } from '../values.ts';

/** The ways in which an account can confirm. `totp`: a code of the authenticator app, or a recovery code. */
export const CONFIRMATION_METHODS = ['passkey', 'totp', 'password'] as const;
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number];

/** Room for spaces and dashes between the symbols of a recovery code. */
const CODE_LENGTH_MAX = 40;

/** From the `confirmation_required` problem: identifies the act to confirm. */
const actionHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be the action_hash of a problem');

export const givenProof = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('totp'),
    code: z
      .string()
      .min(1, 'must not be empty')
      .max(CODE_LENGTH_MAX, `must have at most ${CODE_LENGTH_MAX} characters`),
  }),
  z.object({ method: z.literal('password'), password: passwordText }),
  z.object({ method: z.literal('passkey'), passkey: usedPasskey }),
]);

/** US cents; null means no limit. */
const limitCents = z.int().nullable();

const limitAnswer = z
  .object({
    limit_usd_cents: limitCents,
    /** The limit that applies if the owner has chosen none. */
    usual_usd_cents: limitCents,
    /** A raised limit that does not apply yet. */
    next: z.object({ limit_usd_cents: limitCents, from: timeText }).nullable(),
  })
  .meta({ id: 'ConfirmationLimit' });

export const confirmationCalls = {
  confirm: {
    method: 'POST',
    path: '/account/confirm',
    auth: 'user',
    device: true,
    summary: 'Prove that it is you, and get a confirmation for one act',
    body: z.object({ action_hash: actionHash, proof: givenProof }).meta({ id: 'ConfirmRequest' }),
    /** Sent as `X-Confirmation` when the refused request is repeated, once and within five minutes. */
    answer: z.object({ confirmation: z.string() }).meta({ id: 'Confirmation' }),
  },
  confirmOptions: {
    method: 'POST',
    path: '/account/confirm/options',
    auth: 'user',
    summary: 'Begin a confirmation with a passkey',
    body: z.object({ action_hash: actionHash }).meta({ id: 'ConfirmOptionsRequest' }),
    answer: useOptions,
  },
  confirmationLimit: {
    method: 'GET',
    path: '/account/confirmation_limit',
    auth: 'user',
    summary: 'Above which sum spending takes a confirmation',
    answer: limitAnswer,
  },
  changeConfirmationLimit: {
    method: 'PUT',
    path: '/account/confirmation_limit',
    auth: 'user',
    confirmed: true,
    summary: 'Choose that sum; a higher one takes a confirmation and holds after a day',
    body: z
      .object({
        /** null selects the usual limit. */
        limit_usd_cents: z
          .int()
          .min(0)
          .max(parseInt(CONFIRMATION_LIMIT_MAX.toString(), 10))
          .nullable(),
      })
      .meta({ id: 'ConfirmationLimitRequest' }),
    answer: limitAnswer,
  },
} as const satisfies Calls;
