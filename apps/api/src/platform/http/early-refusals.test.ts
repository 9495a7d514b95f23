import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let port: number;
beforeAll(async () => {
  test = await createTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterAll(() => test.close());

/** Sends bytes as they are and returns the parts of the answer. */
async function send(text: string) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1] ?? '']),
  );
  return { status: Number(status.split(' ')[1]), headers, body };
}

describe('a request refused before it has a route', () => {
  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
    [
      'an unknown expectation',
      'POST /api/account/login HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\ncontent-length: 2\r\n\r\n{}',
      417,
      'expectation_failed',
    ],
    [
      'headers of 40 kB',
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('[D-031] is answered with a problem: %s', async (_what, text, status, code) => {
    const answer = await send(text);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      type: `urn:athos:problem:${code}`,
      status,
      code,
      request_id: answer.headers['x-request-id'],
    });
  });
});
