/** The phone whose key shows a user's tickets: one at a time, so that two phones cannot show one item to two gates without a network. */
import { verify } from 'node:crypto';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { lockOpenSession, lockUsers, requireConfirmed } from '../../identity/index.ts';
import { phoneKey } from './phone-key.ts';
import {
  countTicketPhones,
  endTicketPhone,
  insertTicketPhone,
  selectLastEnded,
  selectTicketPhone,
  updatePhoneSession,
  type EndedPhone,
  type TicketPhone,
} from './ticket-phones.sql.ts';

interface PhoneDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Each move creates up to 200 new tickets. Nobody changes phones this often, and the limit stops a loop. */
const PHONES_PER_DAY_MAX = 20n;

/** The text that the phone signs to prove that it holds the key. The session id makes a proof worthless in any other session. */
const proofText = (sessionId: string): Buffer => Buffer.from(`phone-v1\n${sessionId}`);

interface PhoneRequest {
  readonly user: SignedInUser;
  /** The confirmation of a move. */
  readonly confirmation: string | undefined;
  /** The public key as base64url, like the proof. */
  readonly publicKey: string;
  readonly proof: string;
  readonly label: string;
  /** Whether to end the tickets of another phone. */
  readonly isMove: boolean;
  /** Whether nobody has asked for this, so that nobody may be asked for a confirmation either. */
  readonly isByItself: boolean;
}

function requireProof({ user: { sessionId }, proof }: PhoneRequest, keyBytes: Buffer): void {
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
}

interface Move {
  readonly keyBytes: Buffer;
  readonly sessionBegunAt: Date;
  readonly since: Date;
}

/**
 * Another phone that showed tickets until recently, if this session has not proved the owner's identity since then. A token alone can
 * end the other phone (by `end`, or with its session), so without this check a thief with a stolen token could move the tickets in two
 * steps.
 */
async function findEnded(
  tx: Tx,
  userId: bigint,
  { keyBytes, sessionBegunAt, since }: Move,
): Promise<EndedPhone | undefined> {
  const ended = await selectLastEnded(tx, userId);
  const isMoveInSteps =
    ended !== undefined &&
    !ended.publicKey.equals(keyBytes) &&
    ended.endedAt > since &&
    ended.endedAt > sessionBegunAt;
  return isMoveInSteps ? ended : undefined;
}

const elsewhere = (
  { label, madeAt }: Pick<TicketPhone, 'label' | 'madeAt'>,
  detail: string,
): AppError =>
  new AppError('ticket_phone_elsewhere', { detail, extra: { label, since: madeAt.toISOString() } });

/**
 * Makes a phone the user's ticket phone. Does nothing if it already is. Guards in order: proof, session, other phone (also one that has
 * ended, for a phone that registers by itself), count, confirmation of a move. Throws `invalid_proof`, `session_ended`,
 * `ticket_phone_elsewhere`, `too_many_attempts` and `confirmation_required`.
 */
export async function registerTicketPhone(
  { db, clock, programme }: PhoneDeps,
  request: PhoneRequest,
): Promise<TicketPhone> {
  const { user, confirmation, publicKey, label, isMove, isByItself } = request;
  const { userId, sessionId } = user;
  const keyBytes = Buffer.from(publicKey, 'base64url');
  requireProof(request, keyBytes);
  const at = dateOf(clock);
  const { ticketHours } = await programme();
  return db.transaction().execute(async (tx) => {
    await lockUsers(tx, [userId]);
    const sessionBegunAt = await lockOpenSession(tx, { userId, sessionId }, at);
    if (sessionBegunAt === undefined) throw new AppError('session_ended');
    const other = await selectTicketPhone(tx, userId);
    if (other?.publicKey.equals(keyBytes) === true) {
      await updatePhoneSession(tx, other.id, sessionId);
      return other;
    }
    if (other !== undefined && !isMove) {
      throw elsewhere(other, 'Send "move" to end the tickets of the other phone.');
    }
    // Tickets of a phone that ended earlier have all expired.
    const endedSince = new Date(at.getTime() - ticketHours * HOUR_MS);
    const ended =
      other === undefined
        ? await findEnded(tx, userId, { keyBytes, sessionBegunAt, since: endedSince })
        : undefined;
    if (ended !== undefined && isByItself) {
      throw elsewhere(ended, 'The other phone has ended. Send no "by_itself" to be asked.');
    }
    const since = new Date(at.getTime() - DAY_MS);
    if ((await countTicketPhones(tx, userId, since)) >= PHONES_PER_DAY_MAX) {
      throw new AppError('too_many_attempts', { retryAfterSeconds: DAY_MS / 1000 });
    }
    if (other !== undefined || ended !== undefined) {
      // Otherwise a thief with a stolen session could redeem the owner's purchases.
      const act = { act: 'move_tickets', parts: [publicKey] } as const;
      await requireConfirmed(tx, { clock }, { user, confirmation }, act);
      await endTicketPhone(tx, { userId }, at);
    }
    return insertTicketPhone(tx, { userId, publicKey: keyBytes, label, at, sessionId });
  });
}
