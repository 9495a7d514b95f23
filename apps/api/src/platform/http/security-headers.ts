import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { contentSecurityPolicy, permissionsPolicy } from './security-policy.ts';

const ONE_YEAR_SECONDS = 31_536_000;

interface SecurityHeaderConfig {
  readonly isProduction: boolean;
  readonly stripe: { readonly apiUrl: string; readonly scriptUrl: string };
  readonly analyticsUrl: string | undefined;
}

/**
 * The headers that helmet would set on every answer, computed once: none depends on the request, and computing them each time
 * cost some 40 us, a third of a bare route.
 */
function helmetHeaders({
  isProduction,
  stripe,
  analyticsUrl,
}: SecurityHeaderConfig): Record<string, string> {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  const setHeaders = helmet({
    contentSecurityPolicy: contentSecurityPolicy(stripe, analyticsUrl),
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isProduction ? { maxAge: ONE_YEAR_SECONDS } : false,
  });
  setHeaders({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}

interface SecurityHeaders {
  /** Default headers, for pages and files, used unless a route is marked as data. */
  readonly page: Readonly<Record<string, string>>;
  /** For endpoints of the contract. A browser that shows such an answer runs and loads nothing, so other headers mean nothing there. */
  readonly data: Readonly<Record<string, string>>;
}

const DATA_HEADERS = [
  'cross-origin-resource-policy',
  'strict-transport-security',
  'x-content-type-options',
] as const;
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The security headers of answers. */
export function securityHeaders(config: SecurityHeaderConfig): SecurityHeaders {
  const page: Record<string, string> = {
    ...helmetHeaders(config),
    'permissions-policy': permissionsPolicy(config.stripe),
  };
  const data: Record<string, string> = { 'content-security-policy': DATA_POLICY };
  for (const name of DATA_HEADERS) {
    if (page[name] !== undefined) data[name] = page[name];
  }
  return { page, data };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers data for a program, never a page. */
    readonly answersData?: true;
  }
}

/** Sets them on every request that reaches a hook; what Fastify refuses earlier gets them from `frameworkErrors` (app.ts). */
export function registerSecurityHeaders(
  app: FastifyInstance,
  { page, data }: SecurityHeaders,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.routeOptions.config.answersData === true ? data : page);
    done();
  });
}
