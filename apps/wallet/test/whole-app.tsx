/** Renders the whole app at an address, with session start, guards, layout and overlays, under fake time. */
import { isNetworkLost } from '@athos/app-core/network';
import { act, render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { App } from '../src/routes/app.tsx';
import { startApp } from '../src/routes/start-app.ts';
import { isStartDelayed, startReadingOffline } from '../src/state/network.ts';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { useFakeTime } from '@athos/testing/fake-time';
import { endTest } from './signed-in.tsx';

let stopApp: (() => void) | undefined;

/** For `beforeEach`. */
export function beginTest(): FakeBackend {
  useFakeTime();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  // jsdom lacks modal dialogs; these tests only check whether one is open.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  return installFakeBackend(walletAnswers);
}

/** Leaves the page. Only storage is kept. */
export function leavePage(): void {
  stopApp?.();
  isNetworkLost.set(false);
  isStartDelayed.set(false);
  startReadingOffline.set(undefined);
}

/** For `afterEach`. */
export async function endWholeTest(): Promise<void> {
  // Without a token, a start that is waiting for a response gives up.
  localStorage.removeItem('jwt');
  leavePage();
  // Lets that start finish, which would otherwise change the session of the next test.
  await vi.advanceTimersByTimeAsync(0);
  endTest();
}

/** Lets `ms` pass, and then lazily loaded modules and pending work finish. */
export async function settle(ms = 0): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
  // A loaded module may load another one.
  for (let depth = 0; depth < 3; depth += 1) {
    await act(async () => {
      await vi.dynamicImportSettled();
    });
    await act(async () => {
      await vi.advanceTimersByTimeAsync(0);
    });
  }
}

/** Opens the app at an address, as a page load does. */
export async function startAt(path: string): Promise<UserEvent> {
  history.replaceState(null, '', path);
  stopApp = startApp();
  render(<App />);
  await settle();
  return userEvent.setup({ delay: null });
}

/** Path and query that the browser shows. */
export const address = (): string => location.pathname + location.search;
