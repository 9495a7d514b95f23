import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeoutError } from './errors.ts';
import { createHttp } from './http.ts';
import { createServerClock } from './server-clock.ts';

const http = createHttp({
  prefixUrl: 'https://wallet.example/api',
  clock: createServerClock(),
  onNetworkLost: () => undefined,
  onNetworkBack: () => undefined,
});
const LONG_MS = 60_000;

let answer: (response: Response) => void;
let signal: AbortSignal;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    (request: Request) =>
      new Promise((resolve, reject) => {
        answer = resolve;
        ({ signal } = request);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('gives up opening a stream that the server does not answer', async () => {
  const opening = http.stream('/account/events', new AbortController().signal, undefined);
  const refused = expect(opening).rejects.toBeInstanceOf(TimeoutError);
  await vi.advanceTimersByTimeAsync(LONG_MS);
  await refused;
});

it('sets no limit to an open stream, which ends with the signal of its reader', async () => {
  const reader = new AbortController();
  const opening = http.stream('/account/events', reader.signal, undefined);
  await vi.advanceTimersByTimeAsync(0);
  answer(new Response('data'));
  await opening;
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(signal.aborted).toBe(false);
  reader.abort();
  expect(signal.aborted).toBe(true);
});
