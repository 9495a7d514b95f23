/** Renders the whole console at an address, under fake time. */
import { isNetworkLost } from '@athos/app-core/network';
import { queryClient } from '@athos/app-core/query-client';
import { consoleAnswers } from '@athos/testing/samples/console';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { notifyManager } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { forgetMemory } from '../src/api/open-acts.ts';
import { keyBindings } from '../src/kit/keys.ts';
import { App } from '../src/routes/app.tsx';
import { startApp } from '../src/routes/start-app.ts';
import { proofAsked } from '../src/state/proof.ts';
import { session } from '../src/state/session.ts';

// The default is a timer of 0 ms, which fake time turns into 1 ms during a tick.
notifyManager.setScheduler(queueMicrotask);

let stopApp: (() => void) | undefined;

/** For `beforeEach`: a window of 1440 px, and the API's responses to a person who holds every role. */
export function beginTest(): FakeBackend {
  useFakeTime();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  Object.defineProperty(document.documentElement, 'clientWidth', {
    configurable: true,
    value: 1440,
  });
  document.documentElement.style.fontSize = '16px';
  // Charts measure their width, which jsdom lacks.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  return installFakeBackend(consoleAnswers);
}

/** Lets `ms` pass, then lazily loaded modules arrive and their requests finish. */
export async function settle(ms = 0): Promise<void> {
  await pass(ms);
  for (let round = 0; round < 3; round += 1) {
    await act(async () => {
      await vi.dynamicImportSettled();
    });
    await pass();
  }
}

/** Opens the console, as a page load does. */
export async function openConsole(path = '/'): Promise<UserEvent> {
  history.replaceState(null, '', `/console${path}`);
  stopApp = startApp();
  render(<App />);
  await settle();
  return userEvent.setup({ delay: null });
}

/** Closes the page. What the browser stores is kept. */
export function closeConsole(): void {
  stopApp?.();
  cleanup();
  queryClient.clear();
  session.set({ status: 'starting' });
  proofAsked.get()?.settle(false);
  forgetMemory();
  keyBindings.set([]);
  isNetworkLost.set(false);
}

/** For `afterEach`: leaves nothing for the next test. */
export function endTest(): void {
  closeConsole();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
