import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fails } from './test/fails.ts';
import { readRequiredFields } from './test/read-required-fields.ts';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  stripe = sandbox.stripe;
});
afterAll(() => sandbox.end());

const pdf = Buffer.from('%PDF-1.7\nproof of delivery\n');
const purpose = 'dispute_evidence';

function upload(name: string, data: Buffer, key?: string): Promise<Stripe.File> {
  const options = key === undefined ? {} : { idempotencyKey: key };
  const file = { data, name, type: 'application/octet-stream' };
  return stripe.files.create({ purpose, file }, options);
}

it('[O-142] takes a file that the SDK uploads, and accepts it as evidence', async () => {
  const file = await upload('proof.pdf', pdf);
  const required = readRequiredFields('Files', 'File');
  expect(required.length).toBeGreaterThanOrEqual(10);
  expect(Object.keys(file)).toEqual(expect.arrayContaining(required));
  expect(file).toMatchObject({ purpose, filename: 'proof.pdf', size: pdf.length, type: 'pdf' });
  expect(await stripe.files.retrieve(file.id)).toMatchObject({ id: file.id });
  expect((await stripe.files.list({ purpose })).data.map(({ id }) => id)).toContain(file.id);
  const { id: payment_intent } = await stripe.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  const { id } = await sandbox.control('POST', 'disputes/open', { payment_intent });
  const evidence = { receipt: file.id };
  const answered = await stripe.disputes.update(String(id), { evidence });
  expect(answered).toMatchObject({ status: 'under_review', evidence });
});

it.each([
  ['proof.exe', Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'), 'png'],
  ['photo', Buffer.from('\xff\xd8\xff\xe0rest', 'latin1'), 'jpg'],
])('tells the type of %s by its contents', async (name, data, type) => {
  expect(await upload(name, data)).toMatchObject({ type, filename: name });
});

it.each([
  ['../../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['/absolute/proof.pdf', 'proof.pdf'],
  ['a\u0000b\u0007.pdf', 'ab.pdf'],
  ['..', '..'],
])('keeps only the last part of the name %j, and writes no file', async (name, shown) => {
  const before = readdirSync(sandbox.settings.dataDir);
  const file = await upload(name, pdf);
  expect(file.filename).toBe(shown);
  expect(readdirSync(sandbox.settings.dataDir)).toEqual(before);
  expect(existsSync(join(sandbox.settings.dataDir, shown, '..', 'passwd'))).toBe(false);
});

it('refuses what is no document, an empty file, and one above 5 MB', async () => {
  for (const [data, text] of [
    [Buffer.from('<html>'), 'not supported'],
    [Buffer.alloc(0), 'empty'],
    [Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]), 'larger than 5 MB'],
  ] as const) {
    const error = await fails(upload('proof.pdf', data));
    expect(error).toMatchObject({ statusCode: 400, param: 'file' });
    expect(error.message).toContain(text);
  }
  const huge = await fails(upload('proof.pdf', Buffer.alloc(6 * 1024 * 1024)));
  expect(huge.statusCode).toBe(413);
});

it('replays an upload under its key, and refuses the key for other contents', async () => {
  const first = await upload('proof.pdf', pdf, 'file:1');
  expect((await upload('proof.pdf', pdf, 'file:1')).id).toBe(first.id);
  const other = await fails(upload('proof.pdf', Buffer.concat([pdf, pdf]), 'file:1'));
  expect(other.type).toBe('StripeIdempotencyError');
});

const part = (header: string, body: string): string => `--b\r\n${header}\r\n\r\n${body}\r\n`;
const purposePart = part('Content-Disposition: form-data; name="purpose"', purpose);
const filePart = part('Content-Disposition: form-data; name="file"; filename="a.pdf"', '%PDF-1');

it.each([
  ['no boundary', 'multipart/form-data', `${purposePart}${filePart}--b--\r\n`],
  ['another boundary', 'multipart/form-data; boundary=c', `${purposePart}${filePart}--b--\r\n`],
  ['no end', 'multipart/form-data; boundary=b', `${purposePart}${filePart}`],
  ['no header', 'multipart/form-data; boundary=b', `--b\r\n\r\n%PDF-1\r\n--b--\r\n`],
  ['an empty body', 'multipart/form-data; boundary=b', ''],
  ['no purpose', 'multipart/form-data; boundary=b', `${filePart}--b--\r\n`],
  ['no file', 'multipart/form-data; boundary=b', `${purposePart}--b--\r\n`],
  ['two files', 'multipart/form-data; boundary=b', `${purposePart}${filePart}${filePart}--b--\r\n`],
  ['a form', 'application/x-www-form-urlencoded', `purpose=${purpose}&file=x`],
  ['an unknown purpose', 'application/x-www-form-urlencoded', 'purpose=fun'],
])('refuses a request with %s', async (_, type, body) => {
  const headers = {
    authorization: `Bearer ${sandbox.settings.secretKey}`,
    'content-type': type,
  };
  const response = await fetch(`${sandbox.url}/v1/files`, { method: 'POST', headers, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('refuses a file on other calls, and strangers', async () => {
  const body = `${purposePart}${filePart}--b--\r\n`;
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const send = (path: string, key: string): Promise<Response> =>
    fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { ...type, authorization: `Bearer ${key}` },
      body,
    });
  expect((await send('/v1/refunds', sandbox.settings.secretKey)).status).toBe(400);
  expect((await send('/v1/files', sandbox.settings.publishableKey)).status).toBe(401);
  expect((await send('/v1/files', 'sk_test_stranger')).status).toBe(401);
});
