/** The peak load of a large programme (decision 0055), scaled to a twentieth: the calls and their rates. */
import type { LoadRequest, LoadUser, Visit } from '../load-plan.ts';
import { SIGNING_SEED } from '../programs.ts';

const SHARE = 1 / 20;
/** The number of open wallets at the peak, if each is open for 3 minutes: a twentieth of 135,000, with 750 orders a second. */
export const WALLETS = 6_700;
const ORDERS_PER_SECOND = 750 * SHARE;
const SENDS_PER_SECOND = 200 * SHARE;
const CLAIMS_PER_SECOND = 95 * SHARE;
const SIGN_INS_PER_SECOND = 50 * SHARE;
const OPEN_SECONDS = 180;
export const OPENINGS_PER_SECOND = WALLETS / OPEN_SECONDS;

/** The same as the wallet's (apps/wallet/src/api/balance.ts). */
const BALANCE_POLL_SECONDS = 15;
/**
 * Wallets poll the rate 1,117 and the programme 112 times per second, and the edge answers from its cache (deploy/haproxy/edge.cfg) but for
 * the requests that come while an answer is renewed: 6 of 1,117 per second were measured with one edge, so this is for two of them.
 */
const RATES_PER_SECOND = 12;
const PROGRAMMES_PER_SECOND = 2;

/** The programme's default: a send waits for so long before it arrives, so that its sender can take it back. */
const UNDO_SECONDS = 10;

/** The number of redemptions prepared for a run of this many seconds, with some to spare. */
export const redemptionsIn = (seconds: number): number =>
  Math.ceil(ORDERS_PER_SECOND * (seconds + 5));

/** Calls of one kind, and their total rate at all processes. */
export interface PacedCall {
  readonly name: string;
  readonly perSecond: number;
  readonly request: LoadRequest;
}

/** The users and objects for the callers of one process. */
export interface Cast {
  readonly wallets: readonly LoadUser[];
  readonly staff: readonly LoadUser[];
  readonly visits: readonly Visit[];
  readonly codes: readonly string[];
  readonly offerIds: readonly number[];
  readonly emails: readonly string[];
  readonly password: string;
}

export function callsOf({ wallets, staff, visits, codes, offerIds, ...signIn }: Cast): PacedCall[] {
  const read = (name: string, perSecond: number, path: string): PacedCall => ({
    name,
    perSecond,
    request: { kind: 'get', paths: [path], callers: wallets },
  });
  const order = (name: string, lineCount: number): PacedCall => ({
    name,
    // Orders have one and a half lines on average.
    perSecond: ORDERS_PER_SECOND / 2,
    request: { kind: 'purchase', buyers: wallets, offerIds: offerIds.slice(0, lineCount) },
  });
  return [
    // An opened wallet requests its balance at once, and then polls it.
    read('balance', WALLETS / BALANCE_POLL_SECONDS + OPENINGS_PER_SECOND, '/api/account/balance'),
    read('rate', RATES_PER_SECOND, '/api/exchange_rate'),
    read('programme', PROGRAMMES_PER_SECOND, '/api/programme'),
    read('profile', OPENINGS_PER_SECOND, '/api/account/profile'),
    read('categories', OPENINGS_PER_SECOND, '/api/categories'),
    read('purchases', OPENINGS_PER_SECOND, '/api/my_purchases'),
    read('history', OPENINGS_PER_SECOND, '/api/all_history'),
    order('order of one line', 1),
    order('order of two lines', 2),
    {
      name: 'scan and redemption',
      perSecond: ORDERS_PER_SECOND,
      request: { kind: 'redeem', staff, visits, signingSeed: SIGNING_SEED },
    },
    {
      name: 'send',
      perSecond: SENDS_PER_SECOND,
      request: {
        kind: 'transfer',
        senders: wallets,
        recipientUuids: wallets.map(({ uuid }) => uuid),
        undoSeconds: UNDO_SECONDS,
      },
    },
    {
      name: 'claim',
      perSecond: CLAIMS_PER_SECOND,
      request: { kind: 'claim', claimants: wallets, codes, usedCount: 0 },
    },
    {
      name: 'sign-in',
      perSecond: SIGN_INS_PER_SECOND,
      request: { kind: 'sign_in', ...signIn },
    },
  ];
}
