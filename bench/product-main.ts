/** The product's API with additional routes, to which others are compared: two that only check the session, and sends as they were. */
import { acceptedAnswer } from '@athos/contract/values';
import { buildApp } from '../apps/api/src/app.ts';
import { readConfig } from '../apps/api/src/config/config.ts';
import { createDeps } from '../apps/api/src/deps.ts';
import { consoleEndpoint } from '../apps/api/src/platform/console/console-endpoint.ts';
import { endpoint } from '../apps/api/src/platform/http/endpoint.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { BARE_CONSOLE_PATH, BARE_SIGNED_IN_PATH } from './programs.ts';
import { registerSendsBeforeUndo } from './sends-before-undo.ts';

const bare = {
  method: 'GET',
  path: BARE_SIGNED_IN_PATH,
  auth: 'user',
  summary: 'Nothing',
  answer: acceptedAnswer,
} as const;
const bareConsole = {
  ...bare,
  path: BARE_CONSOLE_PATH,
  auth: 'console',
  permission: 'own',
} as const;

const config = readConfig(process.env);
const deps = createDeps(config, createLog(config.logLevel));
const app = await buildApp(deps);
endpoint(app, deps, bare, () => ({ success: true }) as const);
consoleEndpoint(app, deps, bareConsole, () => ({ success: true }) as const);
registerSendsBeforeUndo(app, deps);
await app.listen({ host: config.host, port: config.port });
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
process.once('SIGTERM', () => process.exit(0));
