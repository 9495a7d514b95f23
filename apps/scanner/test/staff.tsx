/** Renders the whole scanner at an address, under fake time. */
import { queryClient } from '@athos/app-core/query-client';
import { isNetworkLost } from '@athos/app-core/network';
import { notifyManager } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { App } from '../src/routes/app.tsx';
import { startApp } from '../src/routes/start-app.ts';
import { closeRecentScans } from '../src/state/recent-scans.ts';
import { session } from '../src/state/session.ts';
import { closeVenues } from '../src/state/venue.ts';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { scannerAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { fakeToken, STAFF_UUID } from '@athos/testing/session';

// The default is a timer of 0 ms, which fake time turns into 1 ms during a tick.
notifyManager.setScheduler(queueMicrotask);

const NOW = new Date('2026-11-21T20:00:00Z');

let stopApp: (() => void) | undefined;

/** For `beforeEach`. */
export function beginTest(): FakeBackend {
  useFakeTime(NOW);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return installFakeBackend(scannerAnswers);
}

/** Opens the app, as a page load does. */
export async function openApp(path = '/scanner'): Promise<UserEvent> {
  history.replaceState(null, '', path);
  stopApp = startApp();
  render(<App />);
  await act(async () => {
    await vi.dynamicImportSettled();
  });
  await pass();
  return userEvent.setup({ delay: null });
}

/** Opens the app with a stored session from an earlier day. */
export function openSignedIn(path?: string): Promise<UserEvent> {
  localStorage.setItem('scanner-jwt', fakeToken(STAFF_UUID));
  return openApp(path);
}

/** Keeps what a reload keeps, which is storage, and drops everything in memory. */
export function closeApp(): void {
  stopApp?.();
  cleanup();
  queryClient.clear();
  session.set({ status: 'starting' });
  isNetworkLost.set(false);
  closeVenues();
  closeRecentScans();
}

/** For `afterEach`: leaves nothing for the next test. */
export function endTest(): void {
  closeApp();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
