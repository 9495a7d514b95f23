/**
 * Time-based one-time codes (RFC 6238), as authenticator apps show them. A code is valid for its own step of 30 s and for the
 * one before and after it. The caller stores the step of an accepted code, so that each step is used once.
 */
import { Secret, TOTP } from 'otpauth';

/** The settings that every authenticator app supports. Several apps ignore other settings in the address and then show wrong codes. */
const CODE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Allows for clocks that differ and for a code typed as its step ends. */
const DRIFT_STEPS = 1;
/** Checked first, because the library throws on six characters that are more than six bytes. */
const FORM = /^[0-9]{6}$/;
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** A random secret in base 32, for people who type it because they cannot scan the QR code. */
export const makeTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

interface TotpLabel {
  readonly secret: string;
  /** The app shows both. */
  readonly issuer: string;
  readonly account: string;
}

/** The `otpauth:` address of a secret, for a QR code. */
export const totpAddress = ({ secret, issuer, account }: TotpLabel): string =>
  new TOTP({ ...CODE, secret: Secret.fromBase32(secret), issuer, label: account }).toString();

interface TotpAttempt {
  readonly secret: string;
  readonly code: string;
  readonly nowMs: number;
  /** The step of the last code that was used; `undefined` if none was. */
  readonly lastStep: bigint | undefined;
}

/** Returns the step of a right code, which the caller stores; `undefined` if the code is wrong or its step is used up. */
export function matchTotp({ secret, code, nowMs, lastStep }: TotpAttempt): bigint | undefined {
  if (!FORM.test(code)) return undefined;
  const delta = TOTP.validate({
    ...CODE,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: nowMs,
    window: DRIFT_STEPS,
  });
  if (delta === null) return undefined;
  const step = BigInt(TOTP.counter({ period: CODE.period, timestamp: nowMs }) + delta);
  return lastStep === undefined || step > lastStep ? step : undefined;
}
