/**
 * Links with which a customer shows a receipt to somebody without an account, for example in a dispute, to an accountant, or to a friend
 * who waits for an amount.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { uuidv7 } from '@athos/domain/uuid';
import type { JournalTransfer, Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { lockOwner } from '../identity/index.ts';
import { findArrival } from '../transfers/index.ts';
import type { SaltKey } from './leaf.ts';
import { makeReceipt, type View } from './make-receipt.ts';
import { sha256 } from './merkle.ts';
import { insertShare, selectShareByToken, selectShares, type Share } from './shares.sql.ts';

interface ShareDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const SHARES_MAX = 20;
/** Among this many tokens, none can be found by guessing. */
const TOKEN_BYTES = 16;
const DAY_MS = 24 * 60 * 60_000;

const NOT_ARRIVED = {
  arriving: 'No link was made. Wait until the send has arrived.',
  came_back: 'No link was made. The amount came back to its sender.',
} as const;

const hashOf = (token: string): Buffer => sha256(Buffer.from(token, 'base64url'));

type NewShare = Pick<Share, 'userId' | 'withNames'> & {
  readonly transfer: JournalTransfer;
  readonly days: number;
};

/**
 * The token is not stored and cannot be shown again. Throws `send_not_arrived` for a send that its sender can still take back, or that
 * came back: its receipt would be valid although nobody has received the amount. Throws `too_many_shares`,
 * `session_ended`.
 */
export async function shareReceipt(
  { db, clock }: ShareDeps,
  { transfer, days, ...shared }: NewShare,
): Promise<{ readonly share: Share; readonly token: string }> {
  // An arrival is final, so this result stays true.
  const { state } = await findArrival(db, transfer);
  if (state !== 'arrived') throw new AppError('send_not_arrived', { detail: NOT_ARRIVED[state] });
  const madeAt = dateOf(clock);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const share = {
    ...shared,
    transferId: transfer.transferId,
    id: uuidv7(madeAt.getTime(), (bytes) => randomFillSync(bytes)),
    madeAt,
    expiresAt: new Date(madeAt.getTime() + days * DAY_MS),
  };
  await db.transaction().execute(async (tx) => {
    await lockOwner(tx, share.userId);
    if ((await selectShares(tx, share.userId, madeAt)).length >= SHARES_MAX) {
      throw new AppError('too_many_shares');
    }
    await insertShare(tx, share, hashOf(token));
  });
  return { share, token };
}

type ReadDeps = ShareDeps & {
  readonly ledger: Pick<Ledger, 'transferById'>;
  readonly saltKeys: readonly SaltKey[];
};

/**
 * Reads the receipt behind a link. For a send that could be undone it shows the movement to its receiver and, if accounts are shown, also
 * the one from its sender. `receipt` is absent until the send has arrived and is sealed. Throws `not_found` for a link that never
 * existed, was ended or has expired, and for a send that came back; these cases cannot be distinguished.
 */
export async function readShared({ db, clock, ledger, saltKeys }: ReadDeps, token: string) {
  const share = await selectShareByToken(db, hashOf(token), dateOf(clock));
  const shared = share && (await ledger.transferById(share.transferId));
  if (share === undefined || shared === undefined) throw new AppError('not_found');
  const arrival = await findArrival(db, shared);
  const { withNames, expiresAt } = share;
  if (arrival.state !== 'arrived') {
    if (arrival.state === 'came_back') throw new AppError('not_found');
    return { expiresAt, receipt: undefined, taken: undefined };
  }
  const { transfer, taken } = arrival;
  const make = (movement: JournalTransfer, view: View) =>
    makeReceipt({ db, saltKeys }, movement, view);
  const view = taken === undefined ? 'movement_with_names' : 'movement_with_payee';
  const receipt = await make(transfer, withNames ? view : 'movement');
  // The sender's movement was posted first, so it is sealed if the other one is.
  const isTakenShown = withNames && taken !== undefined && receipt !== undefined;
  const beside = isTakenShown ? await make(taken, 'movement_with_payer') : undefined;
  return { expiresAt, receipt, taken: beside };
}
