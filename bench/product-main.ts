/** The product's API with an additional route that only checks the session, with which other routes are compared. */
import { acceptedAnswer } from '@athos/contract/values';
import { buildApp } from '../apps/api/src/app.ts';
import { readConfig } from '../apps/api/src/config/config.ts';
import { createDeps } from '../apps/api/src/deps.ts';
import { endpoint } from '../apps/api/src/platform/http/endpoint.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { BARE_SIGNED_IN_PATH } from './programs.ts';

const bare = {
  method: 'GET',
  path: BARE_SIGNED_IN_PATH,
  auth: 'user',
  summary: 'Nothing',
  answer: acceptedAnswer,
} as const;

const config = readConfig(process.env);
const deps = createDeps(config, createLog(config.logLevel));
const app = await buildApp(deps);
endpoint(app, deps, bare, () => ({ success: true }) as const);
await app.listen({ host: config.host, port: config.port });
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
process.once('SIGTERM', () => process.exit(0));
