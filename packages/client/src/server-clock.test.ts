import { describe, expect, it } from 'vitest';
import { createServerClock } from './server-clock.ts';

const SERVER_AHEAD_MS = 3_600_000;
const header = (serverMs: number): string => new Date(serverMs).toUTCString();

describe('server clock', () => {
  it('is this machine’s until the first response', () => {
    expect(createServerClock(() => 1000).nowMs()).toBe(1000);
  });

  it('[D-178] is the server’s even if this machine’s is an hour behind', () => {
    let localMs = 1_800_000_000_000;
    const clock = createServerClock(() => localMs);
    // The header has whole seconds. Responses at different points of a second narrow the bounds.
    for (const step of [0, 1130, 1270, 1310, 1450, 1590]) {
      localMs += step;
      clock.observe(header(localMs + SERVER_AHEAD_MS), localMs - 20, localMs + 20);
    }
    expect(Math.abs(clock.nowMs() - (localMs + SERVER_AHEAD_MS))).toBeLessThan(300);
  });

  it('starts over after a clock was set', () => {
    let localMs = 1_800_000_000_000;
    const clock = createServerClock(() => localMs);
    clock.observe(header(localMs), localMs, localMs);
    localMs += SERVER_AHEAD_MS;
    clock.observe(header(localMs - SERVER_AHEAD_MS), localMs, localMs);
    expect(Math.abs(clock.nowMs() - (localMs - SERVER_AHEAD_MS))).toBeLessThanOrEqual(1000);
  });

  it('ignores a header that is no date', () => {
    const clock = createServerClock(() => 5);
    clock.observe(null, 0, 0);
    clock.observe('soon', 0, 0);
    expect(clock.nowMs()).toBe(5);
  });
});
