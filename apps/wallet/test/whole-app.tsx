/** The whole app at an address, as the browser opens it: session start, guards, layout and overlays, under fake time. */
import { act, render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { App } from '../src/routes/app.tsx';
import { startApp } from '../src/routes/start-app.ts';
import { isNetworkLost, isStartDelayed, startReadingOffline } from '../src/state/network.ts';
import { installFakeBackend, networkFailure, type FakeBackend } from './fake-backend.ts';
import { endTest, useFakeTime } from './signed-in.tsx';

let stopApp: (() => void) | undefined;

export interface WholeBackend extends FakeBackend {
  /** Whether `/healthz` and everything else can be reached. */
  setOnline: (isOnline: boolean) => void;
  /** How often `/healthz` was asked. */
  healthCount: () => number;
}

/** The fake backend with a health address and a plug to pull. */
function installWholeBackend(): WholeBackend {
  const backend = installFakeBackend();
  const inner = globalThis.fetch;
  let isOnline = true;
  let healthCount = 0;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const isHealth = input === '/healthz';
    if (isHealth) healthCount += 1;
    if (!isOnline) return networkFailure();
    return isHealth ? Promise.resolve(new Response('ok')) : inner(input, init);
  });
  return {
    ...backend,
    setOnline: (next) => void (isOnline = next),
    healthCount: () => healthCount,
  };
}

/** For `beforeEach`. */
export function beginTest(): WholeBackend {
  useFakeTime();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
  // jsdom has no modal dialogs; open or not is all that these tests look at.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  return installWholeBackend();
}

/** What a page takes with it when it is left; storage stays. */
export function leavePage(): void {
  stopApp?.();
  isNetworkLost.set(false);
  isStartDelayed.set(false);
  startReadingOffline.set(undefined);
}

/** For `afterEach`. */
export async function endWholeTest(): Promise<void> {
  // Without a token a start that still waits for its answer gives up.
  localStorage.removeItem('jwt');
  leavePage();
  await Promise.resolve();
  endTest();
}

/** Lets parts that are fetched and work that waits finish, and `ms` pass before. */
export async function settle(ms = 0): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
  // A fetched part may fetch another one.
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
