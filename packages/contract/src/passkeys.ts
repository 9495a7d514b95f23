/** Passkeys as browsers send and accept them: the JSON forms of WebAuthn (https://www.w3.org/TR/webauthn-3/, 5.1.8 and 5.1.9). */
import { z } from 'zod';

/** Longer than anything an authenticator sends. Bounds the work of parsing. */
const base64url = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^[\w-]+$/, 'must be base64url');

const credentialId = base64url(1400);
const transport = z.string().max(40);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
};

/** The result of `navigator.credentials.create`. */
export const madePasskey = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(8_000),
      attestationObject: base64url(16_000),
      transports: z.array(transport).max(10).optional(),
    }),
  })
  .meta({ id: 'MadePasskey' });

/** The result of `navigator.credentials.get`. */
export const usedPasskey = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(8_000),
      authenticatorData: base64url(4_000),
      signature: base64url(4_000),
      userHandle: base64url(100).optional(),
    }),
  })
  .meta({ id: 'UsedPasskey' });

const descriptors = z.array(
  z.object({
    id: z.string(),
    type: z.literal('public-key'),
    transports: z.array(z.string()).optional(),
  }),
);
const userVerification = z.literal('required');

/** The options of `navigator.credentials.create`. */
export const makeOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: descriptors,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyMakeOptions' });

/** The options of `navigator.credentials.get`. */
export const useOptions = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    allowCredentials: descriptors.optional(),
    userVerification,
  })
  .meta({ id: 'PasskeyUseOptions' });
