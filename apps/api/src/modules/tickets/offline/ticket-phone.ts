/** The phone whose key shows a user's tickets: one at a time, so that two phones cannot show one item to two gates without a network. */
import { verify } from 'node:crypto';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { lockUsers, requireConfirmed } from '../../identity/index.ts';
import { phoneKey } from './phone-key.ts';
import {
  countTicketPhones,
  endTicketPhone,
  insertTicketPhone,
  selectTicketPhone,
  type TicketPhone,
} from './ticket-phones.sql.ts';

interface PhoneDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60_000;
/** Each move makes up to 200 new tickets. Nobody changes phones this often, and a loop ends here. */
const PHONES_PER_DAY_MAX = 20n;

/** What the phone signs to prove that it holds the key. The session makes a proof worthless anywhere else. */
const proofText = (sessionId: string): Buffer => Buffer.from(`phone-v1\n${sessionId}`);

interface PhoneRequest {
  readonly user: SignedInUser;
  /** Of a move. */
  readonly confirmation: string | undefined;
  /** base64url, as is the proof. */
  readonly publicKey: string;
  readonly proof: string;
  readonly label: string;
  /** Whether to end the tickets of another phone. */
  readonly isMove: boolean;
}

/**
 * Makes a phone the user's ticket phone. Does nothing if it is. Guards in order: proof, other phone, count,
 * confirmation of a move. Throws `invalid_proof`, `ticket_phone_elsewhere`, `too_many_attempts`, `confirmation_required`.
 */
export async function registerTicketPhone(
  { db, clock }: PhoneDeps,
  { user, confirmation, publicKey, proof, label, isMove }: PhoneRequest,
): Promise<TicketPhone> {
  const { userId, sessionId } = user;
  const keyBytes = Buffer.from(publicKey, 'base64url');
  const key = phoneKey(keyBytes);
  const isProven =
    key !== undefined &&
    verify(
      'sha256',
      proofText(sessionId),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(proof, 'base64url'),
    );
  if (!isProven) throw new AppError('invalid_proof');
  const at = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    await lockUsers(tx, [userId]);
    const other = await selectTicketPhone(tx, userId);
    if (other?.publicKey.equals(keyBytes) === true) return other;
    if (other !== undefined && !isMove) {
      throw new AppError('ticket_phone_elsewhere', {
        detail: 'Send "move" to end the tickets of the other phone.',
        extra: { label: other.label, since: other.madeAt.toISOString() },
      });
    }
    const since = new Date(at.getTime() - DAY_MS);
    if ((await countTicketPhones(tx, userId, since)) >= PHONES_PER_DAY_MAX) {
      throw new AppError('too_many_attempts', { retryAfterSeconds: DAY_MS / 1000 });
    }
    if (other !== undefined) {
      // Otherwise a stolen session could redeem what its owner bought.
      const act = { act: 'move_tickets', parts: [publicKey] } as const;
      await requireConfirmed(tx, { clock }, { user, confirmation }, act);
      await endTicketPhone(tx, userId, at);
    }
    return insertTicketPhone(tx, { userId, publicKey: keyBytes, label, at });
  });
}
