import type { LiveEvent } from '@athos/contract/wallet/events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from './errors.ts';
import { createEventParser, readEvents } from './event-stream.ts';

const event: LiveEvent = { type: 'payment', id: 'p-1' };
const text = `data: ${JSON.stringify(event)}\n\n`;

/** An open response and a function that writes to it. */
function openStream() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    response: new Response(body),
    write: (chunk: string) => controller?.enqueue(encoder.encode(chunk)),
    end: () => controller?.close(),
  };
}

let giveUp: AbortController;
const log = vi.fn<(name: string, facts: Record<string, unknown>) => void>();
beforeEach(() => {
  giveUp = new AbortController();
  vi.useFakeTimers();
});
afterEach(() => {
  giveUp.abort();
  vi.useRealTimers();
});

function read(request: (signal: AbortSignal) => Promise<Response>) {
  const seen = { events: [] as LiveEvent[], openCount: 0, refusedCount: 0 };
  const ended = readEvents(
    {
      signal: giveUp.signal,
      onEvent: (told) => seen.events.push(told),
      onOpen: () => void (seen.openCount += 1),
    },
    { request, onRefused: () => void (seen.refusedCount += 1), log },
  );
  return { seen, ended };
}

describe('event parser', () => {
  it('reads events regardless of chunk boundaries, and skips comments', () => {
    const whole = `:\n\ndata: a\ndata: b\n\nevent: x\r\ndata:c\r\n\r\n: keep\n\ndata: cut off`;
    for (const size of [1, 2, 3, 7, whole.length]) {
      const told: string[] = [];
      const parse = createEventParser((data) => told.push(data));
      for (let at = 0; at < whole.length; at += size) parse(whole.slice(at, at + size));
      expect(told).toEqual(['a\nb', 'c']);
    }
  });
});

describe('live events', () => {
  it('[D-110] are passed on as they arrive', async () => {
    const stream = openStream();
    const { seen } = read(async () => stream.response);
    stream.write(text.slice(0, 10));
    stream.write(text.slice(10));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.events).toEqual([event]);
    expect(seen.openCount).toBe(1);
  });

  it('resume after the stream ends, and report that it is open again', async () => {
    const first = openStream();
    const second = openStream();
    const streams = [first, second];
    const { seen } = read(async () => streams.shift()?.response ?? new Response(null));
    first.end();
    await vi.advanceTimersByTimeAsync(2000);
    second.write(text);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toMatchObject({ events: [event], openCount: 2 });
  });

  it('resume after the pause that the server asked for', async () => {
    const first = openStream();
    const streams = [first, openStream()];
    const { seen } = read(async () => streams.shift()?.response ?? new Response(null));
    first.write('retry: 40\n\n');
    first.end();
    await vi.advanceTimersByTimeAsync(39);
    expect(seen.openCount).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.openCount).toBe(2);
  });

  it('resume after growing pauses of at most 30 s', async () => {
    const attempts: number[] = [];
    const { seen } = read(() => {
      attempts.push(Date.now());
      return Promise.reject(new NetworkError('lost'));
    });
    await vi.advanceTimersByTimeAsync(300_000);
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(pauses[0]).toBeLessThanOrEqual(1000);
    expect(Math.max(...pauses)).toBeGreaterThan(14_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30_000);
    expect(seen.openCount).toBe(0);
  });

  it('reconnect after a minute of silence', async () => {
    let requestCount = 0;
    read(async () => {
      requestCount += 1;
      return openStream().response;
    });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(requestCount).toBe(1);
    await vi.advanceTimersByTimeAsync(1100);
    expect(requestCount).toBe(2);
  });

  it('reconnect if the server does not open the stream within 10 s', async () => {
    const signals: AbortSignal[] = [];
    read((signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(signals).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1100);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    giveUp.abort();
    expect(signals[1]?.aborted).toBe(true);
  });

  it('end when the server refuses the token', async () => {
    let requestCount = 0;
    const { seen, ended } = read(() => {
      requestCount += 1;
      return Promise.reject(new ApiError(401, 'Unauthorized', undefined));
    });
    await ended;
    expect(seen.refusedCount).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requestCount).toBe(1);
  });

  it('end when the reader aborts', async () => {
    const stream = openStream();
    const { ended } = read(async () => stream.response);
    await vi.advanceTimersByTimeAsync(0);
    giveUp.abort();
    await vi.advanceTimersByTimeAsync(1000);
    await expect(ended).resolves.toBeUndefined();
  });
});
