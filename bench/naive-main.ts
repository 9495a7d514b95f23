/** The product's API, except that each transfer is its own transaction. */
import { buildApp } from '../apps/api/src/app.ts';
import { readConfig } from '../apps/api/src/config/config.ts';
import { createDeps } from '../apps/api/src/deps.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { createNaiveTransfer } from './naive-ledger.ts';

const config = readConfig(process.env);
const deps = createDeps(config, createLog(config.logLevel));
const transfer = createNaiveTransfer(config.databaseUrl);
const app = await buildApp({ ...deps, ledger: { ...deps.ledger, transfer } });
await app.listen({ host: config.host, port: config.port });
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
process.once('SIGTERM', () => process.exit(0));
