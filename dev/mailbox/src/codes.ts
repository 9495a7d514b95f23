/** The demo's stand-in for telephones: the codes that authenticator apps of demo staff would show. */
import { TOTP } from 'otpauth';

const STEP_MS = 30_000;

export interface Phone {
  /** Whose codes it shows. */
  readonly account: string;
  /** In base 32. */
  readonly secret: string;
}

export interface ShownCode {
  readonly account: string;
  readonly code: string;
  /** When the app shows the next one. */
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
