import { parseArgs } from 'node:util';
import { startPostgres } from './launch.ts';

// Runs a server manually: node dev/postgres/src/serve.ts --data DIR [--port N] [--fast]
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string' },
    fast: { type: 'boolean', default: false },
  },
});
if (values.data === undefined) {
  console.error('Usage: node dev/postgres/src/serve.ts --data DIR [--port N] [--fast]');
  process.exit(1);
}
const server = await startPostgres({
  dataDir: values.data,
  durable: !values.fast,
  settings: { max_connections: '200' },
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
});
console.log(JSON.stringify({ url: server.url, pid: server.pid, port: server.port }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop());
}
await server.exited;
