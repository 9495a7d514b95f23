/** Fake time for tests that render an app. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Request and response bodies are streams: reading one takes a few real turns of the event loop. */
const TURN_COUNT = 8;

/** Noon, UTC. */
const NOW = new Date('2026-11-21T12:00:00Z');

/** Starts fake time and announces it to Testing Library, which looks for a global of Jest. */
export function useFakeTime(now = NOW): void {
  vi.useFakeTimers({ now });
  vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) });
}

/** Node's own function, which a browser app's types do not include. */
const { setImmediate: nextTurn } = globalThis as unknown as {
  setImmediate: (proceed: () => void) => void;
};

/** Lets `ms` pass, and everything that became due finish. */
export async function pass(ms = 0): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < TURN_COUNT; turn += 1) {
      await new Promise<void>((proceed) => nextTurn(proceed));
      // Not the asynchronous form, which sleeps for a real millisecond each time.
      vi.advanceTimersByTime(0);
    }
  });
}
