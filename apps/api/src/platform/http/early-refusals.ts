/** Problems for requests that are refused before Fastify routes them: by Node's parser, or for their Host or Expect header. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '@athos/contract/errors';
import { AppError } from '../errors.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';

type Headers = Readonly<Record<string, string>>;

/** Our codes for Node's errors; every other one is a fault of syntax. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** The answer, after which the connection closes: the following bytes cannot be told apart from the refused request. */
function refusal(code: ErrorCode, headers: Headers) {
  const requestId = randomUUID();
  const { status, ...rest } = problemOf(new AppError(code), requestId);
  const body = JSON.stringify({ status, ...rest });
  return {
    status,
    body,
    headers: {
      ...headers,
      'content-type': PROBLEM_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-request-id': requestId,
      connection: 'close',
    },
  };
}

/** Answers a request that Node could not parse or that did not arrive in time. */
export const refuseUnparsed =
  (headers: Headers) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.writable && error.code !== 'ECONNRESET') {
      const answer = refusal(PARSER_CODES[error.code ?? ''] ?? 'invalid_request', headers);
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const status = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
      socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${answer.body}`);
    }
    socket.destroy(error);
  };

export function registerEarlyRefusals(app: FastifyInstance, headers: Headers): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const answer = refusal('expectation_failed', headers);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isWithoutHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    if (!isWithoutHost) return done();
    done(new AppError('invalid_request', { detail: 'Send a Host header.' }));
  });
}
