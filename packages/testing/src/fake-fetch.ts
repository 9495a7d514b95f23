import { vi } from 'vitest';
import { createFakeApi, networkFailure, type FakeApi, type Handlers } from './fake-api.ts';

export interface FakeBackend extends FakeApi {
  /** Sets whether anything is reachable, including `/healthz`. */
  setOnline: (isOnline: boolean) => void;
  /** Returns the number of requests to `/healthz`. */
  healthCount: () => number;
}

/** Replaces `fetch` until `vi.unstubAllGlobals()`. */
export function installFakeBackend(defaults: Handlers): FakeBackend {
  const api = createFakeApi(defaults);
  let isOnline = true;
  let healthCount = 0;

  /** Like the real `fetch`, rejects on an abort without waiting for the server. */
  function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const isHealth = input === '/healthz';
    if (isHealth) healthCount += 1;
    if (!isOnline) return networkFailure();
    if (isHealth) return Promise.resolve(new Response('ok'));
    const request = new Request(input, init);
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(request.signal.reason as Error);
      if (request.signal.aborted) return abort();
      request.signal.addEventListener('abort', abort, { once: true });
      api.respond(request).then(resolve, reject);
    });
  }

  vi.stubGlobal('fetch', vi.fn(fakeFetch));
  return {
    ...api,
    setOnline: (next) => void (isOnline = next),
    healthCount: () => healthCount,
  };
}
