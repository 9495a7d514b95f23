import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { LedgerUnavailableError } from '../../ledger/index.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

const { log, lines } = recordLog();
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ log, env: { TRUSTED_PROXIES: '10.1.0.0/16' } });
});
afterAll(() => test.close());
beforeEach(() => failTransfersWith('outcome_unknown'));

function failTransfersWith(reason: 'outcome_unknown' | 'overloaded'): void {
  const error = new LedgerUnavailableError(reason);
  vi.spyOn(test.deps.ledger, 'transfer').mockRejectedValue(error);
}

/** Makes a send fail, and returns the log lines of that request. */
async function failWith(headers: Record<string, string>, remoteAddress: string) {
  const [ada, ben] = [await test.createUser(), await test.createUser()];
  lines.length = 0;
  const answer = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: ada,
    payload: { to_uuid: ben.uuid, amount: '1' },
    headers,
    remoteAddress,
  });
  expect(answer.status).toBe(503);
  return {
    requestId: String(answer.headers['x-request-id']),
    written: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('the lines of a request that ended with a 5xx', () => {
  it('[P-064] name the trace id of the edge and the request id', async () => {
    const forwarded = { traceparent, 'x-forwarded-for': '203.0.113.7' };
    const { requestId, written } = await failWith(forwarded, '10.1.2.3');
    expect(written.map(({ msg }) => msg)).toEqual(['request failed', 'request']);
    for (const line of written) expect(line).toMatchObject({ traceId: TRACE_ID, requestId });
  });

  it('[P-064] name them under overload too', async () => {
    failTransfersWith('overloaded');
    const forwarded = { traceparent, 'x-forwarded-for': '203.0.113.7' };
    const { requestId, written } = await failWith(forwarded, '10.1.2.3');
    expect(written.map(({ msg }) => msg)).toEqual(['request refused', 'request']);
    for (const line of written) expect(line).toMatchObject({ traceId: TRACE_ID, requestId });
  });

  it.each([
    ['a stranger', { traceparent, 'x-forwarded-for': '203.0.113.7' }, '203.0.113.9'],
    ['nobody', { 'x-forwarded-for': '203.0.113.7' }, '10.1.2.3'],
    ['a proxy that sends no such id', { traceparent: 'x', 'x-forwarded-for': '::1' }, '10.1.2.3'],
  ])('name a trace of their own when it was given by %s', async (_who, headers, address) => {
    const { requestId, written } = await failWith(headers, address);
    for (const line of written)
      expect(line).toMatchObject({ traceId: requestId.replaceAll('-', ''), requestId });
  });
});
