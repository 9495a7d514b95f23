import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { TOKEN_ASSETS, units } from '@athos/domain/money';
import {
  userAccountId,
  userIdOfAccount,
  type BalanceChange,
  type Ledger,
} from '../../../ledger/index.ts';
import { bearerToken, endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Sessions } from '../../identity/index.ts';
import { EventHub, type Stream } from './event-hub.ts';
import { selectRedeemedItems } from './events.sql.ts';

interface EventDeps extends EndpointDeps {
  readonly sessions: Sessions;
  readonly db: Db;
  readonly ledger: Ledger;
  readonly notifications: Notifications;
  readonly log: Log;
}

const KEEP_ALIVE_MS = 15_000;
/** The first change is told at once, those right after it together. */
const NEWS_INTERVAL_MS = 200;
/** A stream ends now and then, so that the wallet comes back with the token it has by then. */
const STREAM_LIFETIME_MS = 30 * 60_000;

/**
 * Sends the balances of a user who listens: one read at a time, so that an older one never overtakes a newer, and few of
 * them however often the balance changes.
 */
function createBalanceNews(hub: EventHub, { ledger, log }: EventDeps) {
  /** Users whose turn runs; true where something changed since its read began. */
  const turns = new Map<bigint, boolean>();
  return (changes: readonly BalanceChange[]): void => {
    for (const { accountId } of changes) {
      const userId = userIdOfAccount(accountId);
      if (userId === undefined || !hub.listensTo(userId)) continue;
      if (turns.has(userId)) turns.set(userId, true);
      else void takeTurn(userId);
    }
  };

  async function takeTurn(userId: bigint): Promise<void> {
    do {
      turns.set(userId, false);
      await sendBalances(userId);
      await pause(NEWS_INTERVAL_MS, undefined, { ref: false });
    } while (turns.get(userId) === true);
    turns.delete(userId);
  }

  async function sendBalances(userId: bigint): Promise<void> {
    try {
      const accountIds = TOKEN_ASSETS.map((asset) => userAccountId(userId, asset));
      const found = await ledger.balances(accountIds);
      const [ATH = '0', ATH2 = '0', ATH3 = '0'] = accountIds.map((id) =>
        (found.get(id) ?? units(0n)).toString(),
      );
      hub.sendToUser(userId, { type: 'balance', balance: ATH, balances: { ATH, ATH2, ATH3 } });
    } catch (error) {
      log.warn({ err: error }, 'a live balance could not be read');
    }
  }
}

/** Payload: the user's row id and the redemption's. What it redeemed is read, since a notification holds few bytes. */
function createRedemptionNews(hub: EventHub, { db, log }: EventDeps) {
  return async (payload: string): Promise<void> => {
    const [, userId, redemptionId] = /^(\d+) (\d+)$/.exec(payload) ?? [];
    if (userId === undefined || redemptionId === undefined) return;
    if (!hub.listensTo(BigInt(userId))) return;
    try {
      const items = await selectRedeemedItems(db, redemptionId);
      hub.sendToUser(BigInt(userId), {
        type: 'redeemed',
        items: items.map(({ id, purchaseId, redeemedAt, venue }) => ({
          id: Number(id),
          purchase_id: Number(purchaseId),
          redeemed_at: redeemedAt.toISOString(),
          venue,
        })),
      });
    } catch (error) {
      log.warn({ err: error }, 'a live redemption could not be read');
    }
  };
}

export function registerEventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const hub = new EventHub();
  const stopListening = deps.ledger.onPosted(createBalanceNews(hub, deps));
  deps.sessions.onRevoked((sessionId) => hub.endSession(sessionId));
  // Which sessions ended meanwhile nobody knows: the wallets come back, each with its token.
  deps.notifications.onGap(() => hub.endAll());
  // Payload: the user's row id and the order's id.
  deps.notifications.on('payment_changed', (payload) => {
    const [userId = '', id = ''] = payload.split(' ');
    if (/^\d+$/.test(userId)) hub.sendToUser(BigInt(userId), { type: 'payment', id });
  });
  const tellRedemption = createRedemptionNews(hub, deps);
  deps.notifications.on('items_redeemed', (payload) => void tellRedemption(payload));
  const keepAlive = setInterval(() => hub.keepAlive(), KEEP_ALIVE_MS);
  app.addHook('preClose', (done) => {
    clearInterval(keepAlive);
    stopListening();
    hub.endAll();
    done();
  });

  /** A revocation that overtook the check of the session found no stream to end. */
  async function endUnlessValid(stream: Stream, token: string): Promise<void> {
    try {
      await deps.sessions.authenticate(token);
    } catch {
      hub.end(stream);
    }
  }

  endpoint(app, deps, api.events, ({ user, request, reply }) => {
    const stream: Stream = { userId: user.userId, sessionId: user.sessionId, response: reply.raw };
    if (!hub.add(stream)) throw new AppError('overloaded', { retryAfterSeconds: 15 });
    const lifetime = setTimeout(() => hub.end(stream), STREAM_LIFETIME_MS);
    reply.raw.once('close', () => {
      clearTimeout(lifetime);
      hub.end(stream);
    });
    // Headers that plugins have set belong to this answer too.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Kept alive after its end it would hold a shutdown for as long as idle connections live.
      connection: 'close',
    });
    reply.raw.write(':\n\n');
    void endUnlessValid(stream, bearerToken(request) ?? '');
    return reply.hijack();
  });
}
