import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { API_PREFIX } from '@athos/contract/call';
import { CONSOLE_PREFIX } from '@athos/contract/console/console-call';
import { docsCss, docsPage } from './docs-page.ts';
import { addFacts, referencedOnly } from './openapi-facts.ts';

const isConsole = (url: string): boolean => url.startsWith(`${API_PREFIX}${CONSOLE_PREFIX}/`);

const hidden = <Route extends { schema: object }>(route: Route, isHidden: boolean): Route =>
  isHidden ? { ...route, schema: { ...route.schema, hide: true } } : route;

declare module 'fastify' {
  interface FastifyInstance {
    /** OpenAPI of the console's calls. */
    consoleDocument: () => object;
  }
}

/** Describes the console's calls in a document of their own: the public document leaves them out. */
export async function registerConsoleDocument(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    decorator: 'consoleDocument' as never,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Console API',
        version: '1',
        description:
          'For staff, with the cookie of a session. A call that names another person than that of the session in X-Staff-Id is refused ' +
          'with `person_changed`.',
      },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-console' } },
      },
    },
    transform: (route) => hidden(jsonSchemaTransform(route), !isConsole(route.url)),
    transformObject: (document) => referencedOnly(jsonSchemaTransformObject(document)),
  });
}

/** Serves OpenAPI 3.1, generated from the schemas that validate requests, as JSON and as a page. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Wallet API',
        version: '1',
        description: 'Amounts of tokens are strings of whole micro-units.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform: (route) => hidden(jsonSchemaTransform(route), isConsole(route.url)),
    transformObject: (document) => referencedOnly(addFacts(jsonSchemaTransformObject(document))),
  });
  // Rendered once: at a millisecond per request, rendering the page each time would be a cheap way to slow the API down.
  let written: { readonly json: Buffer; readonly page: Buffer } | undefined;
  const write = () =>
    (written ??= {
      json: Buffer.from(JSON.stringify(app.swagger())),
      page: Buffer.from(docsPage(app.swagger())),
    });
  app.get(`${API_PREFIX}/openapi.json`, { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send(write().json),
  );
  app.get(`${API_PREFIX}/docs`, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(write().page),
  );
  app.get(`${API_PREFIX}/docs.css`, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css').send(docsCss),
  );
}
