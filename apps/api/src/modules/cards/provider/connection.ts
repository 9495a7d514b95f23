/** The connection to the card provider with the official SDK, which all calls share. */
import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type Stripe from 'stripe';
import { unavailable } from './provider-errors.ts';

/** The SDK's defaults of 80 s and 2 retries exceed the client's timeout of 10 s. */
const TIMEOUT_MS = 4_000;
const RETRY_COUNT_MAX = 1;
/** The maximum number of items that one request of a list returns. */
export const PAGE_SIZE = 100;

export interface CardProviderConfig {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly apiUrl: string;
}

/** The SDK is loaded with the first card call: it takes 15 MB and a tenth of a second. */
export async function connect({ secretKey, apiUrl }: CardProviderConfig): Promise<Stripe> {
  const { default: StripeSdk } = await import('stripe').catch((error: unknown) => {
    throw unavailable(error);
  });
  const { hostname, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  // The SDK's own timeout begins when the connection is open. The agent's includes the opening.
  const pool = { keepAlive: true, timeout: TIMEOUT_MS };
  return new StripeSdk(secretKey, {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : port,
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
    timeout: TIMEOUT_MS,
    httpAgent: isPlain ? new PlainAgent(pool) : new Agent(pool),
    maxNetworkRetries: RETRY_COUNT_MAX,
  });
}

/** `list` starts the SDK's list, which fetches further pages during the iteration. */
export async function* readEach<From, To>(
  connection: Promise<Stripe>,
  list: (stripe: Stripe) => AsyncIterable<From>,
  read: (item: From) => To,
): AsyncIterable<To> {
  try {
    for await (const item of list(await connection)) yield read(item);
  } catch (error) {
    throw unavailable(error);
  }
}

/** The id of an object, which the provider returns either alone or within the object. */
export const idOf = (object: string | { id: string } | null | undefined): string | undefined =>
  typeof object === 'string' ? object : (object?.id ?? undefined);

export const dateOfSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);
