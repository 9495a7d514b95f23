import { expect, it } from 'vitest';
import { makeTotpSecret, matchTotp, totpAddress } from './totp.ts';

/** The secret of RFC 6238, appendix B: "12345678901234567890" in base 32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** The last six of the eight digits that the appendix lists, with their times in seconds. */
const RFC_CODES = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
] as const;

const STEP_MS = 30_000;
const stepAt = (seconds: number): bigint => BigInt(Math.floor(seconds / 30));
const match = (seconds: number, code: string, lastStep?: bigint) =>
  matchTotp({ secret: RFC_SECRET, code, nowMs: seconds * 1000, lastStep });

it.each(RFC_CODES)('accepts the code of RFC 6238 at %d s', (seconds, code) => {
  expect(match(seconds, code)).toBe(stepAt(seconds));
});

it('accepts a code one step early or late, and no further', () => {
  const [seconds, code] = RFC_CODES[3];
  const at = (steps: number) =>
    matchTotp({
      secret: RFC_SECRET,
      code,
      nowMs: seconds * 1000 + steps * STEP_MS,
      lastStep: undefined,
    });
  const step = stepAt(seconds);
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined]);
});

it('refuses a code whose step was used, and codes of earlier steps', () => {
  const [seconds, code] = RFC_CODES[3];
  const step = stepAt(seconds);
  expect(match(seconds, code, step - 1n)).toBe(step);
  expect(match(seconds, code, step)).toBeUndefined();
  expect(match(seconds, code, step + 1n)).toBeUndefined();
});

it.each(['', '00592', '0059245', '005 24', 'abcdef', '٠٠٥٩٢٤', '005925'])(
  'refuses "%s" as a code',
  (code) => {
    expect(match(RFC_CODES[3][0], code)).toBeUndefined();
  },
);

it('makes secrets of 160 random bits, and the address that authenticator apps scan', () => {
  const secret = makeTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeTotpSecret()).not.toBe(secret);
  const address = new URL(totpAddress({ secret, issuer: 'A & B', account: 'ada@example.org' }));
  expect(decodeURIComponent(address.pathname)).toMatch(/A & B:ada@example\.org$/);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'A & B',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
