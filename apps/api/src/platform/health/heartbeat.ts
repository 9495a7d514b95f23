/**
 * Each running program records its state every 15 s, for the console's screen of the system. API processes also tell each other which
 * signing keys they have, and sign with none that another one cannot verify (decision 0049).
 */
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { Log } from '../log/log.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { deleteProcess, selectKeyIdsOfOthers, upsertProcess } from './processes.sql.ts';
import type { Reach } from './reach.ts';

const BEAT_MS = 15_000;
/** A process that missed three beats counts as gone. */
export const GONE_AFTER_MS = 3 * BEAT_MS;
const NANOSECONDS_PER_MS = 1e6;
/** The resolution of the event-loop delay histogram. With the default of 10 ms, an idle process would measure the resolution itself. */
const RESOLUTION_MS = 20;

interface BeatDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly reach: Reach;
  /** The newest migration of any kind that the build knows. Builds of one release know the same ones. */
  readonly newestStep: string;
  readonly keys: SigningKeys;
  readonly qrKeys: SigningKeys;
}

interface Heartbeat {
  /** Settles once the first beat was written or has failed. Nothing should be signed before. */
  readonly first: Promise<void>;
  /** Beats now, and agrees with the others on the key that signs. Never rejects: a database outage is noticed elsewhere. */
  beat(): Promise<void>;
  /** Stops the heartbeat, and removes the process from the list. */
  stop(): Promise<void>;
}

export function startHeartbeat(
  { db, clock, log, reach, newestStep, keys, qrKeys }: BeatDeps,
  program: 'api' | 'console' | 'worker',
): Heartbeat {
  const id = randomUUID();
  const startedAt = dateOf(clock);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  async function beat(): Promise<void> {
    const loopDelayMs = Math.max(0, Math.round(delay.max / NANOSECONDS_PER_MS) - RESOLUTION_MS);
    delay.reset();
    try {
      await upsertProcess(db, {
        id,
        program,
        version: newestStep,
        startedAt,
        seenAt: dateOf(clock),
        memoryBytes: BigInt(process.memoryUsage.rss()),
        loopDelayMs,
        outside: reach.read(),
        keyIds: program === 'api' ? qrKeys.jwks.map(({ kid }) => kid) : [],
      });
      if (program === 'api') await agreeOnSigning();
    } catch (error) {
      log.debug({ err: error }, 'the state of the process could not be written');
    }
  }

  async function agreeOnSigning(): Promise<void> {
    const since = new Date(clock.nowMs() - GONE_AFTER_MS);
    const others = await selectKeyIdsOfOthers(db, id, since);
    const isEachFirst = [keys, qrKeys].map((own) => own.signAsKnownTo(others));
    if (!isEachFirst.includes(false)) return;
    log.warn('an API process does not know the first signing key, so an earlier one signs');
  }

  const timer = setInterval(() => void beat(), BEAT_MS);
  timer.unref();
  const first = beat();
  return {
    first,
    beat,
    async stop() {
      clearInterval(timer);
      delay.disable();
      await deleteProcess(db, id).catch(() => undefined);
    },
  };
}
