/** Adds what the schemas of a route do not say to the OpenAPI document: its errors, its idempotency key, what it streams. */
import type { OpenAPIV3_1 } from 'openapi-types';
import { api } from '@athos/contract/api';
import { API_PREFIX, type Call } from '@athos/contract/call';

const PROBLEM: OpenAPIV3_1.ResponseObject = {
  description: 'A refusal or a failure (RFC 9457): `code` says which.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const IDEMPOTENCY_KEY: OpenAPIV3_1.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same for every repeat of one request: it is done once, and the first answer given again.',
  schema: { type: 'string', format: 'uuid' },
};

function describe(operation: OpenAPIV3_1.OperationObject, { keyed, stream }: Call): void {
  const responses: OpenAPIV3_1.ResponsesObject = { ...operation.responses, default: PROBLEM };
  const answer = responses['200'];
  if (stream === true && answer !== undefined && 'content' in answer) {
    const schema = answer.content?.['application/json']?.schema;
    const content = { 'text/event-stream': schema === undefined ? {} : { schema } };
    responses['200'] = { ...answer, content };
  }
  operation.responses = responses;
  if (keyed === true) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
}

/** Completes the document in place and returns it. */
export function addFacts<T extends object>(document: T): T {
  const { paths = {} } = document as Pick<OpenAPIV3_1.Document, 'paths'>;
  for (const route of Object.values<Call>(api)) {
    const item = paths[API_PREFIX + route.path.replace(/:(\w+)/g, '{$1}')];
    const operation = item?.[route.method.toLowerCase() as 'get' | 'post' | 'put'];
    if (operation !== undefined) describe(operation, route);
  }
  return document;
}
