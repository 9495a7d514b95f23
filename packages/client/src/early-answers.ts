/** Responses to requests that a page sent before its scripts had loaded (`apps/wallet/src/start-early.ts`). */

export interface EarlyAnswer {
  readonly response: Response;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

declare global {
  /** Keyed by the full address. */
  var earlyAnswers: Record<string, Promise<EarlyAnswer>> | undefined;
}

/** The same as for the client's own attempts (`http.ts`). */
const TIMEOUT_MS = 10_000;

/** Requests `paths` of the page's origin now. If a request fails, the client sends it again. */
export function askEarly(paths: readonly string[]): void {
  const answers: Record<string, Promise<EarlyAnswer>> = {};
  for (const path of paths) {
    const url = location.origin + path;
    const sentAtMs = Date.now();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = fetch(url, { cache: 'no-cache', signal }).then((response) => ({
      response,
      sentAtMs,
      receivedAtMs: Date.now(),
    }));
    answer.catch(() => undefined);
    answers[url] = answer;
  }
  globalThis.earlyAnswers = answers;
}

/** A user who was signed out at the start may sign in an hour later. */
const AGE_MAX_MS = 10_000;

/**
 * Returns the early response to `request`, at most once. `undefined` if there is none, or if it failed or is too old.
 */
async function takeEarlyAnswer({ method, url }: Request): Promise<EarlyAnswer | undefined> {
  const early = method === 'GET' ? globalThis.earlyAnswers?.[url] : undefined;
  if (early === undefined) return undefined;
  delete globalThis.earlyAnswers?.[url];
  const answer = await early.catch(() => undefined);
  const isUsable = answer?.response.ok === true && Date.now() - answer.receivedAtMs < AGE_MAX_MS;
  return isUsable ? answer : undefined;
}

/** Sends `request`, unless its response has been requested early. */
export async function fetchOnce(request: Request): Promise<EarlyAnswer> {
  const early = await takeEarlyAnswer(request);
  if (early !== undefined) return early;
  const sentAtMs = Date.now();
  const response = await fetch(request);
  return { response, sentAtMs, receivedAtMs: Date.now() };
}
