/**
 * Sends that can be undone (decision 0058): the amount leaves the sender at once and waits in `in_transit`. Sends that arrive while
 * others are in progress share a transaction, like carts.
 */
import { randomFillSync } from 'node:crypto';
import type { TokenAsset, TokenUnits, Units } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { selectSendStops, userAccountId, type Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { commitEarly } from '../../../platform/database/early-commit.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { lockUsers } from '../../identity/index.ts';
import { pay, refusalError } from '../pay.ts';
import { PayTogether, type Refused } from '../pay-together.ts';
import { SEND_WORDS } from '../send-words.ts';
import { holdTransfer } from './books.ts';
import { countLive, insertHeld, selectHeldByKeys, type HeldSendRow } from './held-sends.sql.ts';
import { announceHeld } from './live-events.ts';

export interface HoldDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly notifications: Pick<Notifications, 'announce'>;
}

interface HeldSend {
  /** The sender. */
  readonly userId: bigint;
  readonly recipientId: bigint;
  readonly asset: TokenAsset;
  readonly amountUnits: TokenUnits;
  readonly key: string;
  readonly undoSeconds: number;
  /** Whether the server decided the seconds, and may decide otherwise when the request is repeated. */
  readonly isTimeOurs: boolean;
  /** `undefined` if the send was not judged. */
  readonly isFirstTime: boolean | undefined;
}

interface Held {
  readonly row: HeldSendRow;
  /** The id of the movement that took the amount from the sender. */
  readonly transferId: bigint;
  /** The sender's balance in the asset after that movement. */
  readonly balanceUnits: Units;
}

type Outcome =
  | ({ readonly outcome: 'held' } & Held)
  /** The key belongs to an earlier send, perhaps another one. */
  | { readonly outcome: 'known'; readonly row: HeldSendRow };

/** More sends than anybody makes by hand within a minute. */
const LIVE_MAX = 20;
/** Each replay has a transaction of its own that locks the ledger, so running more at once would only occupy connections. */
const REPLAYS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 3 };

function newRow({ clock }: HoldDeps, send: HeldSend): HeldSendRow {
  const nowMs = clock.nowMs();
  return {
    id: uuidv7(nowMs, (bytes) => randomFillSync(bytes)),
    sender_id: send.userId,
    recipient_id: send.recipientId,
    asset: send.asset,
    amount_units: send.amountUnits,
    key: send.key,
    undo_seconds: send.undoSeconds,
    is_first_time: send.isFirstTime ?? null,
    state: 'held',
    reason: null,
    made_at: dateOf(clock),
    post_at: new Date(nowMs + send.undoSeconds * 1_000),
    settled_at: null,
  };
}

/**
 * Holds the sends of different users in one transaction. Guards in order: replay, count, the receiver's state, money. Throws
 * `PaymentRefused` if the ledger refuses one of them; then, as after any other error, nothing was held.
 */
function holdTogether(
  deps: HoldDeps,
  sends: readonly HeldSend[],
): Promise<readonly (Outcome | Refused)[]> {
  return deps.db.transaction().execute(async (tx) => {
    await commitEarly(tx);
    const senderIds = sends.map(({ userId }) => userId);
    const accountOf = ({ recipientId, asset }: HeldSend) => userAccountId(recipientId, asset);
    // The lock comes first, so that the other statements see what the previous holder of the lock committed.
    const [, knownRows, live, stops] = await pipelined(tx, (pipe) =>
      Promise.all([
        lockUsers(pipe, senderIds),
        selectHeldByKeys(pipe, sends),
        countLive(pipe, senderIds),
        selectSendStops(pipe, sends.map(accountOf)),
      ]),
    );
    const known = new Map(knownRows.map((row) => [row.sender_id, row]));
    const decided = sends.map(
      (send): HeldSendRow | Exclude<Outcome, { outcome: 'held' }> | Refused => {
        const first = known.get(send.userId);
        if (first !== undefined) return { outcome: 'known', row: first };
        if ((live.get(send.userId) ?? 0) >= LIVE_MAX) {
          const detail = `${SEND_WORDS.nothing} Wait until one of your last ${LIVE_MAX} sends has arrived.`;
          return { outcome: 'refused', error: new AppError('holds_full', { detail }) };
        }
        const receiving = stops.get(accountOf(send))?.receivingStop;
        // The ledger checks the receiver only when the amount arrives.
        if (receiving === 'closed') {
          return { outcome: 'refused', error: new AppError('recipient_not_found') };
        }
        if (receiving === 'held') {
          return { outcome: 'refused', error: refusalError('receiver_held', SEND_WORDS) };
        }
        return newRow(deps, send);
      },
    );
    const rows = decided.filter((one) => 'id' in one);
    if (rows.length === 0) return decided.filter((one) => 'outcome' in one);
    const [, { transfers }] = await pipelined(tx, (pipe) =>
      Promise.all([
        insertHeld(pipe, rows),
        pay(pipe, deps.ledger, rows.map(holdTransfer), SEND_WORDS),
      ]),
    );
    return decided.map((one) => {
      if ('outcome' in one) return one;
      const posted = transfers[rows.indexOf(one)];
      invariant(posted !== undefined, 'every send of the group was posted');
      const { transferId, debitAfterUnits: balanceUnits } = posted;
      return { outcome: 'held', row: one, transferId, balanceUnits };
    });
  });
}

/** Holds a send, once per key. Throws an AppError if it is refused. */
export type HoldSend = (send: HeldSend) => Promise<Held & { readonly isNew: boolean }>;

/** Create one per process: two would form smaller groups. */
export function createHoldSend(deps: HoldDeps): HoldSend {
  const { db, ledger } = deps;
  const replayGate = createGate(REPLAYS);
  const together = new PayTogether<HeldSend, Outcome>({
    name: 'held sends',
    payAll: (sends) => holdTogether(deps, sends),
    rowCountOf: () => 1,
  });

  /** Repeats the first answer. Like every replay, it writes (docs/ledger.md, "Idempotency"). */
  async function replay(send: HeldSend, row: HeldSendRow): Promise<Held> {
    const isSame =
      row.recipient_id === send.recipientId &&
      row.asset === send.asset &&
      row.amount_units === send.amountUnits &&
      (send.isTimeOurs || row.undo_seconds === send.undoSeconds);
    if (!isSame) throw refusalError('key_reused', SEND_WORDS);
    const { transfers } = await replayGate(userCaller(send.userId), () =>
      db.transaction().execute((tx) => pay(tx, ledger, [holdTransfer(row)], SEND_WORDS)),
    );
    const [first] = transfers;
    invariant(first !== undefined, 'the replay of a transfer names the first one');
    return { row, transferId: first.transferId, balanceUnits: first.debitAfterUnits };
  }

  return async (send) => {
    const made = await together.pay(send);
    if (made.outcome === 'known') return { ...(await replay(send, made.row)), isNew: false };
    announceHeld(deps, made.row);
    return { ...made, isNew: true };
  };
}
