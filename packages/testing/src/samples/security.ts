/** The data on a holder's security screen. */
import type { AnswerOf } from '@athos/contract/api';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const issuer = 'Rewards';

type OwnSession = AnswerOf<'sessions'>['sessions'][number];

export const ownSessions: OwnSession[] = [
  {
    id: '0192cccc-0000-4000-8000-000000000001',
    device: 'Safari on iOS',
    method: 'password',
    begun_at: '2026-11-20T07:30:00.000Z',
    last_seen_at: '2026-11-21T18:40:00.000Z',
    is_current: false,
  },
  {
    id: '0192cccc-0000-4000-8000-000000000002',
    device: 'Firefox on Linux',
    method: 'link',
    begun_at: '2026-11-02T09:00:00.000Z',
    last_seen_at: '2026-11-20T12:00:00.000Z',
    is_current: true,
  },
  {
    id: '0192cccc-0000-4000-8000-000000000003',
    device: null,
    method: null,
    begun_at: '2026-11-01T10:00:00.000Z',
    last_seen_at: '2026-11-22T08:10:00.000Z',
    is_current: false,
  },
];

export const totpSecret: AnswerOf<'beginAuthenticator'> = {
  secret: SECRET,
  address: `otpauth://totp/${issuer}:ada%40example.com?issuer=${issuer}&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
};

export const recoveryCodes: string[] = Array.from(
  { length: 10 },
  (_, index) => `7K4T-DS21-3SB5-5QD${index}`,
);

export const ownPasskeys: AnswerOf<'passkeys'>['passkeys'] = [
  {
    id: '0192dddd-0000-4000-8000-000000000001',
    name: 'Safari on iOS',
    added_at: '2026-11-02T09:00:00.000Z',
    used_at: '2026-11-21T18:40:00.000Z',
  },
  {
    id: '0192dddd-0000-4000-8000-000000000002',
    name: 'The security key in the drawer of my desk at home',
    added_at: '2026-11-20T07:30:00.000Z',
    used_at: null,
  },
];

export const passkeyCreation: AnswerOf<'beginPasskey'> = {
  rp: { id: 'localhost', name: issuer },
  user: { id: 'a'.repeat(43), name: 'ada@example.com', displayName: 'ada@example.com' },
  challenge: 'c'.repeat(43),
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
};
