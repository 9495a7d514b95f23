/** Serves the metrics, and readiness if there is no other port for it, on a port that the edge never forwards to. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Enough for a few Prometheus servers; any other client that reaches this port must not exhaust the process. */
const CONNECTIONS_MAX = 20;
const REQUEST_TIMEOUT_MS = 5_000;

/** Counting these takes 20 ms with 3,000 open streams, and delays every answer in that time. */
const COSTLY = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'process_open_fds',
];

interface Served {
  readonly host: string;
  readonly port: number;
  /** Whether the process is ready. Without it, `/readyz` is not served. */
  readonly readyz?: (() => boolean) | undefined;
}

interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Also begins to observe the process and its event loop. Rejects if the port is taken. */
export async function serveMetrics(
  registry: Registry,
  { host, port, readyz }: Served,
): Promise<MetricsServer> {
  collectDefaultMetrics({ register: registry });
  for (const name of COSTLY) registry.removeSingleMetric(name);
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const path = request.url?.split('?', 1)[0];
      if (path === '/readyz' && readyz !== undefined)
        return void response.writeHead(readyz() ? 200 : 503).end();
      if (path !== '/metrics' || request.method !== 'GET')
        return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
