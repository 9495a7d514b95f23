/** Adds facts to the OpenAPI document that the schemas of a route do not contain: errors, headers and streamed events. */
import type { OpenAPIV3_1 } from 'openapi-types';
import { api } from '@athos/contract/api';
import {
  API_PREFIX,
  CONFIRMATION_PATTERN,
  DEVICE_ID_PATTERN,
  type Call,
} from '@athos/contract/call';

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

const DEVICE_ID: OpenAPIV3_1.ParameterObject = {
  name: 'X-Device-Id',
  in: 'header',
  required: false,
  description:
    'A random text of at least 128 bits that this installation keeps secret. A verification link signs in at once only on the ' +
    'device that signed up. A device that has signed in to the account before is not stopped by the wrong passwords of others.',
  schema: { type: 'string', pattern: DEVICE_ID_PATTERN.source },
};

const CONFIRMATION: OpenAPIV3_1.ParameterObject = {
  name: 'X-Confirmation',
  in: 'header',
  required: false,
  description:
    'The answer of POST /account/confirm, after this request was refused with `confirmation_required`. It is good for the same act ' +
    'in the same session, once, for five minutes.',
  schema: { type: 'string', pattern: CONFIRMATION_PATTERN.source },
};

function describe(
  operation: OpenAPIV3_1.OperationObject,
  { keyed, device, confirmed, stream }: Call,
): void {
  const responses: OpenAPIV3_1.ResponsesObject = { ...operation.responses, default: PROBLEM };
  const answer = responses['200'];
  if (stream === true && answer !== undefined && 'content' in answer) {
    const schema = answer.content?.['application/json']?.schema;
    const content = { 'text/event-stream': schema === undefined ? {} : { schema } };
    responses['200'] = { ...answer, content };
  }
  operation.responses = responses;
  const headers = [
    ...(keyed ? [IDEMPOTENCY_KEY] : []),
    ...(device ? [DEVICE_ID] : []),
    ...(confirmed ? [CONFIRMATION] : []),
  ];
  if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers];
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

const SCHEMA_REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

const stemOf = (name: string): string => name.replace(/Input$/, '');

/**
 * Drops the schemas that no path of the document references, in place: every schema of the contract is in one registry, and each document
 * describes only some of the calls.
 */
export function referencedOnly<T extends object>(document: T): T {
  const { paths = {}, components = {} } = document as OpenAPIV3_1.Document;
  const { schemas = {} } = components;
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(SCHEMA_REFERENCE)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow(paths);
  // A schema whose input differs from its output is listed twice, and requests reference one of the two.
  const stems = new Set([...used].map(stemOf));
  for (const name of Object.keys(schemas)) if (!stems.has(stemOf(name))) delete schemas[name];
  return document;
}
