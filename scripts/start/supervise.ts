import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** Backoff before a restart. The pauses grow, but seven exits, the limit, still fit into a minute. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 4_000, 8_000] as const;
const WINDOW_MS = 60_000;

/** A running part of the system. */
export interface Running {
  /** Resolves with a description of how it ended, for whatever reason; never rejects. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

export interface Part {
  /** Its name at the start of a sentence, such as "The mailbox". */
  readonly label: string;
  launch(signal: AbortSignal): Promise<Running>;
}

export interface Supervised {
  /** Resolves when the part is up for the first time; rejects if it cannot start. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

export interface SuperviseEvents {
  onRestart(sentence: string): void;
  onGiveUp(error: StartError): void;
}

/**
 * Keeps a part running: restarts it after growing pauses, and gives up when it ends for the seventh time within a
 * minute.
 */
export function supervise(part: Part, events: SuperviseEvents): Supervised {
  const stopping = new AbortController();
  let launched = part.launch(stopping.signal);

  const keepUp = async (): Promise<void> => {
    const deaths: number[] = [];
    for (;;) {
      const running = await launched.catch((error: unknown) => describeFault(error));
      const reason = typeof running === 'string' ? running : await running.exited;
      if (stopping.signal.aborted) return;
      const now = performance.now();
      deaths.push(now);
      const recentCount = deaths.filter((at) => now - at < WINDOW_MS).length;
      const pauseMs = PAUSES_MS[recentCount - 1];
      if (pauseMs === undefined) {
        events.onGiveUp(new StartError(`${part.label} does not stay up: ${reason}.`));
        return;
      }
      events.onRestart(`${part.label} ${reason}: starting it again.`);
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      launched = part.launch(stopping.signal);
    }
  };

  const started = launched.then(() => {});
  const kept = started.then(keepUp, () => {});
  return {
    started,
    async stop() {
      stopping.abort();
      const running = await launched.catch(() => undefined);
      await running?.stop();
      await kept;
    },
  };
}

function describeFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `did not start (${message.replace(/\.$/, '')})`;
}
