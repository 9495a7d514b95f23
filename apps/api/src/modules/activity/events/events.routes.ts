import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { liveEvent, type LiveEvent } from '@athos/contract/wallet/events';
import type { Contributions, LiveEventSource } from '../../../capability.ts';
import { userIdOfAccount, type Ledger, type LedgerAccountId } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import { bearerToken, endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { answerHead, EventHub, openStream, type Stream } from '../../../platform/http/event-hub.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Sessions } from '../../identity/index.ts';
import { presentBalances, readBalances } from '../../transfers/index.ts';

interface EventDeps extends EndpointDeps, Pick<Contributions, 'liveEventSources'> {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'streams'>;
  readonly notifications: Notifications;
  readonly sessions: Sessions;
}

type WalletHub = EventHub<bigint, LiveEvent>;

const LIMITS = { perOwnerMax: 10, allMax: 10_000 };
/** The first change of a balance is sent at once; further changes within this interval are combined. */
const BALANCE_INTERVAL_MS = 200;

/**
 * Sends balances to users with an open stream. Reads run one at a time per user, so that an older balance never overtakes a
 * newer one, and stay few however often the balance changes.
 */
function createBalanceFeed(hub: WalletHub, { ledger, log }: EventDeps) {
  /** Users whose balance is being sent; true if it has changed since that read began. */
  const turns = new Map<bigint, boolean>();
  return (accountIds: readonly LedgerAccountId[]): void => {
    for (const accountId of accountIds) {
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
      await pause(BALANCE_INTERVAL_MS, undefined, { ref: false });
    } while (turns.get(userId) === true);
    turns.delete(userId);
  }

  async function sendBalances(userId: bigint): Promise<void> {
    try {
      const balances = await readBalances(ledger, userId);
      hub.sendTo(userId, { type: 'balance', ...presentBalances(balances) });
    } catch (error) {
      log.warn({ err: error }, 'a live balance could not be read');
    }
  }
}

/** Sends the events of the capabilities to users with an open stream. */
const createEventFeed =
  (hub: WalletHub, { channel, read }: LiveEventSource, { db, log }: EventDeps) =>
  async (payload: string): Promise<void> => {
    const [, userIdText, id] = /^(\d+) (\S+)$/.exec(payload) ?? [];
    if (userIdText === undefined || id === undefined) return;
    const userId = BigInt(userIdText);
    if (!hub.listensTo(userId)) return;
    try {
      hub.sendTo(userId, await read(db, id));
    } catch (error) {
      log.warn({ err: error, channel }, 'a live event could not be read');
    }
  };

export function registerEventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const hub = new EventHub<bigint, LiveEvent>(liveEvent, LIMITS);
  deps.metrics.streams.add({ audience: 'wallet' }, () => hub.streamCount);
  const posted = deps.ledger.followPosted({
    isWanted: () => !hub.isEmpty(),
    onPosted: createBalanceFeed(hub, deps),
    // Every wallet reconnects, and then reads its balance.
    onGap: () => hub.endAll(),
  });
  deps.sessions.onRevoked(({ userId, includes }) => {
    for (const stream of hub.of(userId)) {
      if (!includes(stream.sessionId)) continue;
      hub.send(stream, { type: 'session_ended' });
      hub.end(stream);
    }
  });
  // A gap in the notifications may have hidden revocations, so every wallet has to reconnect with its token.
  deps.notifications.onGap(() => hub.endAll());
  for (const source of deps.liveEventSources) {
    const tell = createEventFeed(hub, source, deps);
    deps.notifications.on(source.channel, (payload) => void tell(payload));
  }
  app.addHook('preClose', (done) => {
    posted.stop();
    hub.close();
    done();
  });

  /** Checks the token once more: a revocation during the first check found no stream to end. */
  async function endUnlessValid(stream: Stream<bigint>, token: string): Promise<void> {
    try {
      await deps.sessions.authenticate(token);
    } catch {
      hub.end(stream);
    }
  }

  endpoint(app, deps, api.events, async ({ user, request, reply }) => {
    if (request.method === 'HEAD') return answerHead(reply);
    await posted.ready();
    const stream = { owner: user.userId, sessionId: user.sessionId, response: reply.raw };
    const opened = openStream(hub, stream, reply);
    void endUnlessValid(stream, bearerToken(request) ?? '');
    return opened;
  });
}
