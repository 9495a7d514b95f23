/**
 * Server-sent events over fetch. `EventSource` cannot send a bearer header, and a token must not be part of an address. It also does not
 * report why it was refused.
 */
import type { LiveEvent } from '@athos/contract/wallet/events';
import { ApiError, TimeoutError } from './errors.ts';
import { pause } from './pause.ts';

export interface EventStreamOptions<Event = LiveEvent> {
  onEvent: (event: Event) => void;
  /** Called whenever the stream opens. Events sent before that were missed, so fetch whatever they may have changed. */
  onOpen?: () => void;
  /** Stops reading when it aborts. */
  signal: AbortSignal;
}

interface EventStreamParts {
  request: (signal: AbortSignal) => Promise<Response>;
  /** Called when the server refuses the token. There is no reconnect after that. */
  onRefused: () => void;
  log: (event: string, facts: Record<string, unknown>) => void;
}

/** How long the server may take to open a stream. */
const OPEN_WITHIN_MS = 10_000;
const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 30_000;
/** The server sends a comment more often than this. A stream that is silent for longer is treated as dead. */
const SILENCE_MAX_MS = 60_000;

/** Half of each pause is random, so thousands of apps do not reconnect at the same moment after a restart. */
function pauseMs(failureCount: number): number {
  const full = Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** failureCount);
  return full / 2 + (Math.random() * full) / 2;
}

/** Extracts `data` and `retry` from the text of a stream (WHATWG HTML, section 9.2.6). Skips comments. */
export function createEventParser(
  onData: (data: string) => void,
  onRetry?: (pauseMs: number) => void,
): (chunk: string) => void {
  let rest = '';
  let data: string[] = [];
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        onData(data.join('\n'));
        data = [];
      }
      if (/^retry: ?\d+$/.test(line)) onRetry?.(parseInt(line.slice(6), 10));
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
  };
}

/**
 * Reads one open stream to its end. Returns the pause that the server asked for, if any. Throws if the stream breaks off or is
 * silent for too long.
 */
async function readStream<Event>(
  response: Response,
  options: EventStreamOptions<Event>,
): Promise<number | undefined> {
  if (response.body === null) return undefined;
  let askedMs: number | undefined;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parse = createEventParser(
    (data) => options.onEvent(JSON.parse(data) as Event),
    (pauseMs) => (askedMs = pauseMs),
  );
  const stop = (): void => void reader.cancel().catch(() => undefined);
  options.signal.addEventListener('abort', stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MAX_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return askedMs;
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MAX_MS);
      parse(value);
    }
  } finally {
    clearTimeout(silence);
    options.signal.removeEventListener('abort', stop);
  }
}

/**
 * Reads events until `signal` aborts or the server refuses the token. The pauses between attempts grow. The first one is the
 * server's, if it asked for one.
 */
export async function readEvents<Event = LiveEvent>(
  options: EventStreamOptions<Event>,
  parts: EventStreamParts,
): Promise<void> {
  const { signal } = options;
  let failureCount = 0;
  while (!signal.aborted) {
    let askedMs: number | undefined;
    const attempt = new AbortController();
    const follow = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', follow);
    const opening = setTimeout(() => attempt.abort(new TimeoutError()), OPEN_WITHIN_MS);
    try {
      const response = await parts.request(attempt.signal);
      clearTimeout(opening);
      failureCount = 0;
      options.onOpen?.();
      askedMs = await readStream(response, options);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) {
        parts.onRefused();
        return;
      }
      parts.log('events_broken', { error: error instanceof Error ? error.name : typeof error });
    } finally {
      clearTimeout(opening);
      signal.removeEventListener('abort', follow);
    }
    await pause(askedMs ?? pauseMs(failureCount), signal);
    failureCount += 1;
  }
}
