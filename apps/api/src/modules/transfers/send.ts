import { formatAthExact, type TokenAsset, type TokenUnits, type Units } from '@athos/domain/money';
import {
  TransferKind,
  userAccountId,
  type Ledger,
  type TransferOutcome,
} from '../../ledger/index.ts';
import { Batcher } from '../../platform/database/batcher.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { brakeRefusal } from '../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { selectAddressees, type Addressee } from '../identity/index.ts';
import type { HoldSend } from './held/hold-send.ts';
import { undoTimeFor, type UndoTime, type UndoTimeDeps, type UndoWish } from './held/undo-time.ts';
import { refusalError } from './pay.ts';
import { SEND_WORDS } from './send-words.ts';
import type { SendCount } from './send-count.ts';

interface Send {
  readonly senderId: bigint;
  readonly recipientUuid: string;
  readonly amountUnits: TokenUnits;
  readonly asset: TokenAsset;
  readonly key: string;
  /** How long the sender can take the amount back, in seconds or decided by the server. With 0, it arrives at once. */
  readonly undo: number | UndoWish;
}

export interface Sent {
  readonly transferId: bigint;
  /** The sender's balance in the asset, after the send. */
  readonly balanceUnits: Units;
  /** Present if the send can be undone. */
  readonly hold?: {
    readonly id: string;
    readonly postAt: Date;
    /** Whether no send of the sender had arrived at this receiver. `undefined` if the send was not judged. */
    readonly isFirstTime: boolean | undefined;
  };
}

export interface SendDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly holdSend: HoldSend;
  readonly findRecipient: FindRecipient;
  readonly programme: ReadProgramme;
  readonly sendCount: SendCount;
  readonly clock: UndoTimeDeps['clock'];
  readonly qrKeys: UndoTimeDeps['qrKeys'];
}

/** The refusal of a send by a brake or the programme's limits. */
async function limitRefusal(
  { programme, sendCount }: SendDeps,
  { senderId, amountUnits }: Send,
): Promise<AppError | undefined> {
  const stopped = await brakeRefusal(programme, 'sending');
  if (stopped !== undefined) return stopped;
  const { sendUnitsMin, sendsPerDayMax } = await programme();
  if (amountUnits < sendUnitsMin) {
    const detail = `Nothing was sent. Send at least ${formatAthExact(sendUnitsMin)}.`;
    return new AppError('amount_below_minimum', { detail });
  }
  const retryAfterSeconds = await sendCount.take(senderId, sendsPerDayMax);
  if (retryAfterSeconds === undefined) return undefined;
  const detail = 'Nothing was sent. Send again when 24 hours are over.';
  return new AppError('send_limit_reached', { detail, retryAfterSeconds });
}

/** A closed account is accepted as recipient only for the replay of a send that it received while it was open. */
async function requireRecipient(
  { ledger, findRecipient }: SendDeps,
  { senderId, recipientUuid, key }: Send,
): Promise<bigint> {
  const found = await findRecipient(recipientUuid);
  const isFound = found?.isOpen === true || (found && (await ledger.isKeyUsed(senderId, key)));
  if (!isFound) throw new AppError('recipient_not_found');
  if (found.userId === senderId) throw new AppError('recipient_is_sender');
  return found.userId;
}

/** A send that has passed its guards, and whether it was counted. */
interface Allowed extends Send {
  readonly recipientId: bigint;
  readonly isCounted: boolean;
}

async function sendAtOnce({ ledger, sendCount }: SendDeps, send: Allowed): Promise<Sent> {
  const { senderId, recipientId, asset, amountUnits, key } = send;
  const result = await ledger.transfer({
    debitAccountId: userAccountId(senderId, asset),
    creditAccountId: userAccountId(recipientId, asset),
    amountUnits,
    kind: TransferKind.Send,
    key,
  });
  // A send that was not made is not counted. An unknown outcome is thrown, and stays counted.
  if (send.isCounted && result.outcome !== 'done') sendCount.giveBack(senderId);
  return sentOrRefused(result);
}

interface Time extends UndoTime {
  readonly isTimeOurs: boolean;
}

async function sendToHold(
  { holdSend, sendCount }: SendDeps,
  send: Allowed,
  time: Time,
): Promise<Sent> {
  const giveBack = (): void => {
    if (send.isCounted) sendCount.giveBack(send.senderId);
  };
  const held = await holdSend({ userId: send.senderId, ...send, ...time }).catch(
    (error: unknown) => {
      if (error instanceof AppError) giveBack();
      throw error;
    },
  );
  if (!held.isNew) giveBack();
  const { transferId, balanceUnits, row } = held;
  const isFirstTime = row.is_first_time ?? undefined;
  return { transferId, balanceUnits, hold: { id: row.id, postAt: row.post_at, isFirstTime } };
}

/** A hold needs a time. This one is used only if the key was already used, so no hold is made with it. */
const ANY_TIME: Time = { undoSeconds: 1, isTimeOurs: true, isFirstTime: undefined };

/**
 * Lets the server decide the time. It may decide otherwise when the same request is repeated: a scanned code is no longer fresh, the
 * first send has made the receiver known, or a setting was changed. Then the first decision stands, and is found under its key.
 */
async function sendByWish(deps: SendDeps, send: Allowed, wish: UndoWish): Promise<Sent> {
  const time = await undoTimeFor(deps, wish, send);
  const isAtOnce = time.undoSeconds === 0;
  try {
    return await (isAtOnce
      ? sendAtOnce(deps, send)
      : sendToHold(deps, send, { ...time, isTimeOurs: true }));
  } catch (error) {
    // A server that is too busy has decided nothing.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (!(await deps.ledger.isKeyUsed(send.senderId, send.key))) throw error;
    const uncounted = { ...send, isCounted: false };
    return isAtOnce ? sendToHold(deps, uncounted, ANY_TIME) : sendAtOnce(deps, uncounted);
  }
}

/**
 * Moves an amount from one user to another, once per key, at once or after the time in which it can be undone. Guards in order: the
 * recipient exists and is another user, a brake, and the programme's limits, unless the key was used before; then the ledger's own
 * guards, replay and money. Throws an AppError if refused.
 */
export async function sendAsset(deps: SendDeps, send: Send): Promise<Sent> {
  const recipientId = await requireRecipient(deps, send);
  const refusal = await limitRefusal(deps, send);
  if (refusal !== undefined && !(await deps.ledger.isKeyUsed(send.senderId, send.key))) {
    throw refusal;
  }
  const allowed = { ...send, recipientId, isCounted: refusal === undefined };
  const { undo } = send;
  if (typeof undo !== 'number') return sendByWish(deps, allowed, undo);
  if (undo === 0) return await sendAtOnce(deps, allowed);
  const asked: Time = { undoSeconds: undo, isTimeOurs: false, isFirstTime: undefined };
  return sendToHold(deps, allowed, asked);
}

function sentOrRefused(result: TransferOutcome): Sent {
  if (result.outcome === 'done' || result.outcome === 'replayed') {
    return { transferId: result.transferId, balanceUnits: result.debitAfterUnits };
  }
  // The recipient has left since the lookup. The sender must not learn that the address once had an account.
  if (result.outcome === 'unknown_account') throw new AppError('recipient_not_found');
  throw refusalError(result.outcome, SEND_WORDS);
}

/** The user behind a public address; `undefined` if it never belonged to one. */
type FindRecipient = (userUuid: string) => Promise<Addressee | undefined>;

/** An address never changes its owner, so lookups of open accounts are cached for the lifetime of the process. */
const KNOWN_COUNT_MAX = 100_000;

/**
 * Looks each address up once, in a batch with other addresses requested at the same time: a query per send would cost more than the send
 * itself. If the account has been closed since, the ledger refuses to pay into it.
 */
export function createRecipients(db: Db): FindRecipient {
  const known = new Map<string, Addressee>();
  const lookups = new Batcher<string, Addressee | undefined>({
    name: 'recipients',
    async send(userUuids) {
      const found = await selectAddressees(db, userUuids);
      if (known.size + found.size > KNOWN_COUNT_MAX) known.clear();
      for (const [userUuid, user] of found) if (user.isOpen) known.set(userUuid, user);
      return userUuids.map((userUuid) => found.get(userUuid));
    },
    batchesInFlightMax: 1,
    batchSizeMax: 500,
    waitingMax: 10_000,
    // A request that waits longer is refused with `try_again` (platform/http/endpoint.ts).
    waitMaxMs: 3_500,
  });

  return (userUuid) => {
    const user = known.get(userUuid);
    return user === undefined ? lookups.ask(userUuid) : Promise.resolve(user);
  };
}
