/** The API's default responses: to a holder with no activity yet, and to staff of a single venue. */
import type { AnswerOf } from '@athos/contract/api';
import type { Handlers } from './fake-api.ts';
import { ownSessions, passkeyCreation, recoveryCodes, totpSecret } from './samples/security.ts';
import { ownProfile } from './samples/profile.ts';
import { BAR, purchaseScan, redemptionOf, scannedItem } from './samples/scanner.ts';
import { FAKE_UUID, fakeToken, STAFF_UUID } from './session.ts';

const BALANCES = { ATH: '1234567890', ATH2: '5000000', ATH3: '0' };

/** A balance response: micro-units of ATH, and of each of the other assets. */
export const balanceOf = (ath: string, other?: string): AnswerOf<'balance'> => ({
  balance: ath,
  balances: {
    ATH: ath,
    ATH2: other ?? BALANCES.ATH2,
    ATH3: other ?? BALANCES.ATH3,
  },
});

/** Sends that have not arrived yet: the user's own, and incoming amounts. */
export const holdsOf = (
  sent: AnswerOf<'holds'>['sent'] = [],
  arriving: Partial<AnswerOf<'holds'>['arriving']> = {},
): AnswerOf<'holds'> => ({
  server_time: new Date().toISOString(),
  sent,
  arriving: { ATH: '0', ATH2: '0', ATH3: '0', ...arriving },
});

/** The contacts shared by the account's devices. */
export const sharedContacts = (
  contacts: AnswerOf<'contacts'>['contacts'] = [],
): AnswerOf<'contacts'> => ({ server_time: new Date().toISOString(), contacts });

/** The user has accepted the terms in force, unless `mustAccept` names a version. */
export const acceptedTerms = (mustAccept: string | null = null): AnswerOf<'terms'> => ({
  accepted_version: '1.0',
  accepted_at: '2026-11-02T09:00:00.000Z',
  must_accept: mustAccept,
});

/** Terms that staff have published. */
export const newTerms = (version: string): AnswerOf<'legalText'> => ({
  version,
  in_force_since: '2026-11-20T00:00:00.000Z',
  intro:
    'These terms are the agreement between you and us about the rewards programme and the wallet in this app. By creating an account you accept them.',
  sections: [
    {
      heading: 'Your account',
      paragraphs: [
        'You may open one account if you are at least 18 years old. The email address you give must be yours.',
        'Keep your password to yourself. What is done with your sign-in counts as done by you until you tell us that somebody else has it.',
      ],
    },
    {
      heading: 'What ATH is',
      paragraphs: [
        'ATH, ATH2 and ATH3 are tokens of the rewards programme. They can be sent to other members, and can be spent on what the marketplace offers.',
      ],
    },
    {
      heading: 'Changes',
      paragraphs: [
        'When these terms change we ask you again, and keep the version and time of what you accepted.',
      ],
    },
  ],
});

export const walletAnswers: Handlers = {
  refreshJwt: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  login: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  verify: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  register: () => ({ success: true }),
  logout: () => ({ success: true }),
  forgotPassword: () => ({ success: true }),
  resetPassword: () => ({ success: true }),
  updatePassword: () => ({ success: true }),
  deleteAccount: () => ({ success: true }),
  profile: () => ({ uuid: FAKE_UUID, email: 'ada@example.com' }),
  sessions: () => ({ sessions: ownSessions }),
  secondStep: () => ({ totp_since: null, recovery_codes_left: 0, recovery_ends_at: null }),
  beginAuthenticator: () => totpSecret,
  confirmAuthenticator: () => ({ codes: recoveryCodes }),
  renewRecoveryCodes: () => ({ codes: recoveryCodes }),
  endAuthenticator: () => ({ success: true }),
  askForRecovery: () => ({ ends_at: null }),
  beginRecovery: () => ({ ends_at: '2026-11-24T12:00:00.000Z' }),
  cancelRecovery: () => ({ success: true }),
  stopRecovery: () => ({ success: true }),
  secondFactor: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  passkeyOptions: () => ({
    rpId: 'localhost',
    challenge: 'c'.repeat(43),
    timeout: 300_000,
    userVerification: 'required',
  }),
  signInByPasskey: () => ({ token: fakeToken(), uuid: FAKE_UUID }),
  beginPasskey: () => passkeyCreation,
  registerPasskey: () => ({ success: true }),
  passkeys: () => ({ passkeys: [] }),
  publicProfile: () => ownProfile,
  payCodes: () => ({ pay_codes: [] }),
  endPayCode: () => ({ success: true }),
  confirm: () => ({ confirmation: 'c'.repeat(43) }),
  confirmationLimit: () => ({ limit_usd_cents: null, usual_usd_cents: null, next: null }),
  changeConfirmationLimit: ({ body }) => ({
    limit_usd_cents: body.limit_usd_cents,
    usual_usd_cents: null,
    next: null,
  }),
  renamePasskey: () => ({ success: true }),
  endPasskey: () => ({ success: true }),
  endSession: () => ({ success: true }),
  endOtherSessions: () => ({ success: true }),
  balance: () => balanceOf(BALANCES.ATH),
  exchangeRate: () => ({ exchange_rate: 0.1683 }),
  programme: () => ({ stopped: [] }),
  terms: () => acceptedTerms(),
  tiers: () => ({ tiers: [] }),
  categories: () => ({ categories: [] }),
  offers: () => ({ offers: [] }),
  myPurchases: () => ({ purchases: [] }),
  tickets: () => ({ server_time: new Date().toISOString(), phone: null, tickets: [] }),
  pendingPayments: () => ({ pending: [] }),
  allHistory: () => ({ history: [], next_cursor: null }),
  contacts: () => sharedContacts(),
  changeContacts: ({ body }) => sharedContacts(body.contacts),
  movementNotes: () => ({ notes: [] }),
  receiptShares: () => ({ shares: [] }),
  statement: () => ({
    account: FAKE_UUID,
    asset: 'ATH',
    month: '2026-10',
    zone: 'UTC',
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-11-01T00:00:00.000Z',
    is_running: false,
    opening: '0',
    closing: '0',
    sums: [],
    card_paid_cents: 0,
    card_fee_cents: 0,
    lines: [],
    head: null,
  }),
  statements: () => ({ months: ['2026-11', '2026-10', '2026-09'] }),
  balanceHistory: () => ({
    points: Array.from({ length: 60 }, (_, index) => ({
      at: new Date(Date.parse('2026-10-22T12:00:00.000Z') + index * 43_200_000).toISOString(),
      balance: String(
        900_000_000 + Math.floor(index / 7) * 55_000_000 * (index % 3 === 0 ? -1 : 1),
      ),
    })),
  }),
  sign: () => ({ signature: 'signed-by-the-server' }),
  recipient: ({ body }) => ({ exists: true, uuid: body.text }),
  pastSends: () => ({ is_first_time: false, looks_like: null, warned_seconds: 60 }),
  transfer: () => ({ id: 7, balance: BALANCES.ATH }),
  holds: () => holdsOf(),
  undoHold: () => ({ state: 'taken_back', balance: BALANCES.ATH }),
  events: () => new Response(new ReadableStream({}), { status: 200 }),
};

export const scannerAnswers: Handlers = {
  login: () => ({ token: fakeToken(STAFF_UUID), uuid: STAFF_UUID }),
  logout: () => ({ success: true }),
  refreshJwt: () => ({ token: fakeToken(STAFF_UUID), uuid: STAFF_UUID }),
  scannerVenues: () => ({ venues: [BAR] }),
  scannerScan: () => purchaseScan(scannedItem(1), scannedItem(2)),
  scannerRedeem: ({ body }) => redemptionOf(...(body.item_ids ?? [])),
  scannerScans: () => ({ scans: [], counts: { scans: 0, redeemed_items: 0, refused: 0 } }),
};
