// @vitest-environment jsdom
import type { ConsoleEvent } from '@athos/contract/console/events';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { CAMPAIGN_ID } from '@athos/testing/samples/console-campaigns';
import { liveStream } from '@athos/testing/samples/purchases';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../test/open-console.tsx';

const RECONNECT_MS = 1_000;
const MINUTE_MS = 60_000;

let backend: FakeBackend;
let stream: ReturnType<typeof liveStream<ConsoleEvent>>;
beforeEach(() => {
  backend = beginTest();
  stream = liveStream();
  backend.answer('consoleEvents', stream.answer);
});
afterEach(() => {
  vi.restoreAllMocks();
  endTest();
});

const count = (name: 'approvals' | 'campaign' | 'exports' | 'consoleEvents') =>
  backend.calls(name).length;

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('live events', () => {
  it('have only what has changed read again, at once', async () => {
    await openConsole('/exports');
    const before = { approvals: count('approvals'), exports: count('exports') };
    stream.tell({ topic: 'exports' });
    await settle();
    expect(count('exports')).toBe(before.exports + 1);
    expect(count('approvals')).toBe(before.approvals);
    stream.tell({ topic: 'approvals' });
    await settle();
    expect(count('approvals')).toBe(before.approvals + 1);
  });

  it('have a campaign read again once its budget is decided on', async () => {
    await openConsole(`/campaigns/${CAMPAIGN_ID}`);
    const before = count('campaign');
    stream.tell({ topic: 'approvals' });
    await settle();
    expect(count('campaign')).toBe(before + 1);
  });

  it('make polling slower while they arrive, and only then', async () => {
    await openConsole('/me');
    const before = count('approvals');
    await settle(MINUTE_MS / 2);
    // Keep-alive comments keep the stream open; without them it counts as dead.
    stream.tell({ topic: 'bulk' });
    await settle(MINUTE_MS / 2);
    expect(count('approvals')).toBe(before);
    stream.end();
    backend.answer('consoleEvents', () => problem('overloaded'));
    await settle(5 * MINUTE_MS);
    const afterEnd = count('approvals');
    expect(afterEnd).toBeGreaterThan(before);
    await settle(2 * MINUTE_MS);
    expect(count('approvals')).toBe(afterEnd + 2);
  });

  it('have everything read again when they come back, since some may have been missed', async () => {
    await openConsole('/me');
    const before = count('approvals');
    expect(count('consoleEvents')).toBe(1);
    stream.end();
    await settle(RECONNECT_MS);
    expect(count('consoleEvents')).toBe(2);
    expect(count('approvals')).toBe(before + 1);
  });

  it('stop while the page is hidden', async () => {
    await openConsole('/me');
    const before = count('approvals');
    setVisibility('hidden');
    await settle();
    setVisibility('visible');
    await settle();
    expect(count('consoleEvents')).toBe(2);
    expect(count('approvals')).toBeGreaterThan(before);
  });

  it('end the session that the server has ended', async () => {
    await openConsole('/me');
    backend.answer('consoleEvents', () => problem('session_ended'));
    stream.end();
    await settle(RECONNECT_MS);
    expect(screen.getByText('Your session has ended')).toBeDefined();
  });
});
