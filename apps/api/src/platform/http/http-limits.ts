/** Limits on the duration and number of connections. Connections beyond them are closed. */

/** For a whole request with its body. Below the client's 10 s, so that the client sees the server's answer. */
const REQUEST_TIMEOUT_MS = 9_000;
/** How often the server looks for overdue requests. Node's default of 30 s would let them go on that much longer. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Without a byte in either direction. A client that requests much and reads nothing keeps some 1 MB of answers per connection in
 * memory for so long (measured). Twice the interval at which live streams are kept alive.
 */
const SILENCE_MS = 30_000;
/** Above the usual 60 s of proxies, so that they and not we close idle connections. */
const KEEP_ALIVE_MS = 65_000;
/** Room for all live streams (modules/activity/events/event-hub.ts) and half as many again. Others are closed at once. */
export const CONNECTION_COUNT_MAX = 15_000;

/** Options of Fastify. */
export const HTTP_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionTimeout: SILENCE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  http: {
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  },
};
