/** Responses to requests that a page sent before its scripts had loaded (`apps/wallet/src/start-early.ts`). */

export interface EarlyAnswer {
  readonly response: Response;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

declare global {
  /** Keyed by the full address, followed by the `Authorization` header if it was sent. */
  var earlyAnswers: Record<string, Promise<EarlyAnswer>> | undefined;
}

const ignore = (): void => undefined;

/** The same as for the client's own attempts (`http.ts`). */
const TIMEOUT_MS = 10_000;

interface EarlyRequest<Answer> {
  readonly token?: string;
  /** Also receives the parsed response, if there is one. */
  readonly read?: (answer: Answer) => void;
}

/** Requests `path` of the page's origin now. If the request fails, the client sends it again. */
export function askEarly<Answer>(path: string, { token, read }: EarlyRequest<Answer> = {}): void {
  const url = location.origin + path;
  const authorization = token === undefined ? '' : `Bearer ${token}`;
  const headers = authorization === '' ? {} : { authorization };
  const sentAtMs = Date.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = fetch(url, { cache: 'no-cache', headers, signal }).then((response) => {
    // A clone is read, because the client reads the body itself.
    if (read !== undefined && response.ok) {
      (response.clone().json() as Promise<Answer>).then(read).catch(ignore);
    }
    return { response, sentAtMs, receivedAtMs: Date.now() };
  });
  answer.catch(ignore);
  (globalThis.earlyAnswers ??= {})[url + authorization] = answer;
}

/** A user who was signed out at the start may sign in an hour later. */
const AGE_MAX_MS = 10_000;

/**
 * Returns the early response to `request`, at most once. `undefined` if there is none, or if it failed or is too old.
 */
async function takeEarlyAnswer(request: Request): Promise<EarlyAnswer | undefined> {
  const { method, url, headers } = request;
  const all = globalThis.earlyAnswers;
  if (all === undefined || method !== 'GET') return undefined;
  // A response to a token serves only that token. Most were requested without one.
  const name = url in all ? url : url + headers.get('authorization');
  const early = all[name];
  if (early === undefined) return undefined;
  delete all[name];
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
