/** How long, and in what number, connections may take up this process: whoever goes beyond is cut off. */

/** A whole request, body included. Below the client's 10 s, so that the server's answer is the one that is heard. */
const REQUEST_TIMEOUT_MS = 9_000;
/** The server looks for requests that are over their time so often; Node's own 30 s would let them go on that much longer. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Without a byte in either direction. Who asks for much and reads nothing holds the answers in our memory for as long, some
 * 1 MB a connection (measured). Twice the interval at which live streams are kept alive.
 */
const SILENCE_MS = 30_000;
/** Above the usual 60 s of proxies, so that they and not we close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
/** As many live streams as there may be (event-hub.ts), and half as many again for all else. More are closed at once. */
export const CONNECTION_COUNT_MAX = 15_000;

/** What Fastify is opened with. */
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
