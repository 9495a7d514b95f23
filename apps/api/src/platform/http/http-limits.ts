/** Limits on the duration and number of connections. Connections that exceed them are closed. */

/** The timeout for a complete request with its body. Below the client's 10 s, so that the client sees the server's response. */
const REQUEST_TIMEOUT_MS = 9_000;
/** How often the server checks for overdue requests. With Node's default they could last 30 s longer. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * How long a connection may be silent in both directions. For that time, a client that requests much and reads nothing keeps
 * about 1 MB of responses per connection in memory (measured). Twice the interval of the keep-alive comments of live streams.
 */
const SILENCE_MS = 30_000;
/** Above the usual 60 s of proxies, so that the proxy closes idle connections first. */
const KEEP_ALIVE_MS = 65_000;
/** Room for all live streams (modules/activity/events/events.routes.ts) and half as many again. Further ones are closed at once. */
export const CONNECTION_COUNT_MAX = 15_000;

/** The limits as Fastify options. */
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
