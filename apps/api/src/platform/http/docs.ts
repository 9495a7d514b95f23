import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { API_PREFIX } from '@athos/contract/call';
import { docsCss, docsPage } from './docs-page.ts';
import { addFacts } from './openapi-facts.ts';

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
    transform: jsonSchemaTransform,
    transformObject: (document) => addFacts(jsonSchemaTransformObject(document)),
  });
  // Rendered once: at a millisecond per request, the page would be a cheap way to slow the API down.
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
