/** A demo replacement for phones: shows the codes of demo staff's authenticator apps. */
import { TOTP } from 'otpauth';

const STEP_MS = 30_000;

export interface Phone {
  /** The account to which the codes belong. */
  readonly account: string;
  /** In base 32. */
  readonly secret: string;
}

export interface ShownCode {
  readonly account: string;
  readonly code: string;
  /** The time at which the app shows the next code. */
  readonly endsAt: string;
}

export const codesAt = (phones: readonly Phone[], nowMs: number): ShownCode[] => {
  const endsAt = new Date((Math.floor(nowMs / STEP_MS) + 1) * STEP_MS).toISOString();
  return phones.map(({ account, secret }) => ({
    account,
    code: new TOTP({ secret }).generate({ timestamp: nowMs }),
    endsAt,
  }));
};
