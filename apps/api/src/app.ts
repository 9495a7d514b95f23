import { randomUUID } from 'node:crypto';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Deps } from './deps.ts';
import { registerAuthRoutes } from './modules/identity/identity.routes.ts';
import { registerCatalogRoutes } from './modules/shop/catalogue/catalog.routes.ts';
import { registerMediaRoutes } from './modules/shop/pictures/media.routes.ts';
import { registerEventRoutes } from './modules/activity/events/events.routes.ts';
import { registerHealthRoutes } from './modules/health/health.routes.ts';
import { registerHistoryRoutes } from './modules/activity/history/history.routes.ts';
import { registerPaymentRoutes } from './modules/cards/cards.routes.ts';
import { registerPurchaseRoutes } from './modules/shop/purchase/purchase.routes.ts';
import { registerRateRoutes } from './modules/rate/rate.routes.ts';
import { registerRewardRoutes } from './modules/campaigns/campaigns.routes.ts';
import { registerScannerRoutes } from './modules/tickets/tickets.routes.ts';
import { registerTierRoutes } from './modules/shop/tiers/tier.routes.ts';
import { registerWalletRoutes } from './modules/transfers/transfers.routes.ts';
import { registerCrowdLimit } from './platform/limits/crowd-limit.ts';
import { registerDocs } from './platform/http/docs.ts';
import { CONNECTION_COUNT_MAX, HTTP_LIMITS } from './platform/http/http-limits.ts';
import { registerAppLinks, registerAppOrigins } from './platform/http/native-app.ts';
import { registerProblems, sendProblem } from './platform/http/problem.ts';
import { registerRequestLog } from './platform/http/request-log.ts';
import { registerSecurityHeaders, securityHeaders } from './platform/http/security-headers.ts';
import { registerWebApps } from './platform/http/web-apps.ts';

/** The largest request of the contract is below 10 kB; the card webhook sets its own. */
const BODY_BYTES_MAX = 64 * 1024;

/** The whole HTTP program. Tests call it too; it listens to nothing by itself. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { config, log } = deps;
  const headers = securityHeaders(config);
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than many a request; ours name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES_MAX,
    ...HTTP_LIMITS,
    frameworkErrors: (error, request, reply) =>
      void sendProblem(error, request, reply.headers(headers.page)),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
  });
  app.server.maxConnections = CONNECTION_COUNT_MAX;
  // Bodies are JSON; only the card webhook takes its own.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('signedInUser', undefined);
  app.decorateRequest('authenticationMs', 0);
  registerProblems(app);
  registerRequestLog(app, log);
  registerCrowdLimit(app);
  registerSecurityHeaders(app, headers);
  registerAppOrigins(app, config.nativeApp);
  await registerDocs(app);

  registerHealthRoutes(app, deps);
  registerAuthRoutes(app, deps);
  registerWalletRoutes(app, deps);
  registerHistoryRoutes(app, deps);
  registerRateRoutes(app, deps);
  registerPaymentRoutes(app, deps);
  registerPurchaseRoutes(app, deps);
  registerRewardRoutes(app, deps);
  registerTierRoutes(app, deps);
  registerCatalogRoutes(app, deps);
  registerMediaRoutes(app, deps);
  registerScannerRoutes(app, deps);
  registerEventRoutes(app, deps);
  registerAppLinks(app, config.nativeApp);
  await registerWebApps(app, config);
  return app;
}
