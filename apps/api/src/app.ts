import { randomUUID } from 'node:crypto';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { registerConsoleRoutes, registerHealthRoutes, registerRoutes } from './capabilities.ts';
import type { Deps } from './deps.ts';
import { registerDrain } from './platform/health/drain.ts';
import { registerCrowdLimit } from './platform/limits/crowd-limit.ts';
import { registerConsoleDocument, registerDocs } from './platform/http/docs.ts';
import { registerConsoleNetworks } from './platform/console/console-networks.ts';
import { limitConnections } from './platform/http/connection-limit.ts';
import { CONNECTION_COUNT_MAX, HTTP_LIMITS } from './platform/http/http-limits.ts';
import { registerAppLinks, registerAppOrigins } from './platform/http/native-app.ts';
import { readInlineHashes } from './platform/http/inline-hashes.ts';
import { registerProblems, sendProblem } from './platform/http/problem.ts';
import { registerRehearsalStyle } from './platform/http/rehearsal.ts';
import { registerRequestMetrics } from './platform/http/request-metrics.ts';
import { registerRequestLog } from './platform/http/request-log.ts';
import { registerRequestTraces } from './platform/traces/request-traces.ts';
import { refuseUnparsed, registerEarlyRefusals } from './platform/http/early-refusals.ts';
import { registerSecurityHeaders, securityHeaders } from './platform/http/security-headers.ts';
import {
  registerConsolePages,
  registerNotFound,
  registerWebApps,
} from './platform/http/web-apps.ts';

/** The largest request of the contract is below 10 kB. The card webhook has its own limit. */
const BODY_BYTES_MAX = 64 * 1024;

/** Builds the HTTP application of the wallet's program without listening yet. Tests use it too. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config } = deps;
  const app = await createApp(deps);
  await registerDocs(app);
  registerRoutes(app, deps);
  if (config.console.mode === 'with_api') await registerConsole(app, deps);
  registerAppLinks(app, config.nativeApp);
  const apps = ['wallet', 'scanner', ...(config.console.mode === 'with_api' ? ['console'] : [])];
  await registerWebApps(app, config, { apps, keptAssets: deps.keptAssets });
  return app;
}

/** Builds the HTTP application of the console's program, which serves nothing of the wallet. */
export async function buildConsoleApp(deps: Deps): Promise<FastifyInstance> {
  const app = await createApp(deps);
  registerHealthRoutes(app, deps);
  await registerConsole(app, deps);
  registerNotFound(app, { builds: { apps: ['console'], keptAssets: deps.keptAssets } });
  return app;
}

async function registerConsole(app: FastifyInstance, deps: Deps): Promise<void> {
  const { networks, staticDir } = deps.config.console;
  registerConsoleNetworks(app, networks);
  await registerConsoleDocument(app);
  registerConsoleRoutes(app, { ...deps, db: deps.consoleDb });
  if (staticDir !== undefined) await registerConsolePages(app, staticDir, deps.config);
}

/** Creates the app with everything that handles a request before its route. */
async function createApp(deps: Deps): Promise<FastifyInstance> {
  const { config, log } = deps;
  const inline = await readInlineHashes([config.staticDir, config.scannerStaticDir]);
  const headers = securityHeaders({ ...config, inline });
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Creating a child logger costs more than handling many of the requests; our log lines carry the request id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES_MAX,
    // Requests that arrive while the process closes are still served. The edge has sent new requests to other processes for a while
    // (platform/health/drain.ts).
    return503OnClosing: false,
    ...HTTP_LIMITS,
    // Node's own refusal of a request without Host has no body, so early-refusals.ts refuses it.
    http: { ...HTTP_LIMITS.http, requireHostHeader: false },
    clientErrorHandler: refuseUnparsed(headers.data),
    frameworkErrors: (error, request, reply) =>
      void sendProblem(error, request, reply.headers(headers.page)),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
  });
  app.server.maxConnections = CONNECTION_COUNT_MAX;
  const ofPlaceMax = config.limits.connectionsPerAddress;
  limitConnections(app.server, { ofPlaceMax, trustedProxies: config.trustedProxies });
  // Bodies are JSON. Only the card webhook registers its own parser.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('signedInUser', undefined);
  app.decorateRequest('signedInStaff', undefined);
  app.decorateRequest('authenticationMs', 0);
  registerProblems(app);
  registerRequestLog(app, log);
  if (config.metricsPort !== undefined) registerRequestMetrics(app, deps.metrics);
  if (config.traces.collectorUrl !== undefined) registerRequestTraces(app);
  registerDrain(app, deps.drain);
  registerCrowdLimit(app, { ofPlaceMax });
  registerSecurityHeaders(app, headers);
  registerEarlyRefusals(app, headers.data);
  registerAppOrigins(app, config.nativeApp);
  if (config.isRehearsal) registerRehearsalStyle(app);
  return app;
}
