/** The console's live events: only topics, each sent to the staff who may read it at that moment. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import {
  CONSOLE_TOPICS,
  consoleEvent,
  TOPIC_PERMISSIONS,
  type ConsoleEvent,
  type ConsoleTopic,
} from '@athos/contract/console/events';
import { CONSOLE_CHANGED } from '../../../platform/console/console-changes.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { may } from '../../../platform/console/signed-in-staff.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import { answerHead, EventHub, openStream, type Stream } from '../../../platform/http/event-hub.ts';

export interface ConsoleEventDeps extends ConsoleDeps {
  readonly metrics: Pick<Metrics, 'streams'>;
  readonly notifications: Notifications;
}

const LIMITS = { perOwnerMax: 3, allMax: 200 };
/** How long a stream may outlive a session that expires. */
const ROUND_MS = 15_000;

/**
 * Sends topics to the streams whose session is still open, and ends the others. Rounds run one at a time: topics that arrive during a
 * round wait for the next, so many changes cost few reads.
 */
function createRounds(
  hub: EventHub<string, ConsoleEvent>,
  { db, staffSessions }: Pick<ConsoleEventDeps, 'db' | 'staffSessions'>,
): (topic?: ConsoleTopic) => void {
  const topics = new Set<ConsoleTopic>();
  let isAsked = false;
  let isRunning = false;

  async function tell(stream: Stream<string>, changed: readonly ConsoleTopic[]): Promise<void> {
    try {
      const staff = await staffSessions.readAgain(db, stream);
      for (const topic of changed) {
        if (may(staff, TOPIC_PERMISSIONS[topic])) hub.send(stream, { topic });
      }
    } catch {
      // The session has ended, or that could not be checked: the app reconnects, and is refused if necessary.
      hub.end(stream);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      const changed = [...topics];
      topics.clear();
      for (const stream of hub.all()) await tell(stream, changed);
    }
    isRunning = false;
  }

  return (topic) => {
    if (topic !== undefined) topics.add(topic);
    isAsked = true;
    if (!isRunning) void run();
  };
}

export function registerConsoleEventRoutes(app: FastifyInstance, deps: ConsoleEventDeps): void {
  const { notifications } = deps;
  const hub = new EventHub<string, ConsoleEvent>(consoleEvent, LIMITS);
  deps.metrics.streams.add({ audience: 'console' }, () => hub.streamCount);
  const beginRound = createRounds(hub, deps);
  notifications.on(CONSOLE_CHANGED, (payload) =>
    beginRound(CONSOLE_TOPICS.find((topic) => topic === payload)),
  );
  // Notifications may have been lost: the app reads everything again when it connects.
  notifications.onGap(() => hub.endAll());
  const rounds = setInterval(() => beginRound(), ROUND_MS);
  app.addHook('preClose', (done) => {
    clearInterval(rounds);
    hub.close();
    done();
  });

  consoleEndpoint(app, deps, consoleApi.consoleEvents, ({ staff, request, reply }) => {
    if (request.method === 'HEAD') return answerHead(reply);
    const stream = { owner: staff.staffId, sessionId: staff.sessionId, response: reply.raw };
    const opened = openStream(hub, stream, reply);
    // The session is checked once more: if it ended during the first check, there was no stream to end.
    beginRound();
    return opened;
  });
}
