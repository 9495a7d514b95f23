import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testCards } from './cards/test-cards.ts';
import { expectBooks } from './test/expect-books.ts';
import { createSdk } from './test/start-test-sandbox.ts';

const mainFile = fileURLToPath(new URL('main.ts', import.meta.url));
const secretKey = 'sk_test_of_the_process';
const publishableKey = 'pk_test_of_the_process';

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  exit: Promise<{ code: number | null }>;
}

let dataDir: string;
let children: ChildProcess[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'athos-sandbox-'));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

function run(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [mainFile], {
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_SECRET_KEY: secretKey,
      SANDBOX_PUBLISHABLE_KEY: publishableKey,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  const exit = new Promise<{ code: number | null }>((resolve) => {
    child.once('close', (code) => resolve({ code }));
  });
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  return { child, exit, output: () => text };
}

async function start(environment: Record<string, string> = {}): Promise<Started> {
  const running = run(environment);
  const line = await new Promise<string>((resolve, reject) => {
    running.child.stdout.on('data', () => {
      const ready = running
        .output()
        .split('\n')
        .find((one) => one.startsWith('{"ready":true'));
      if (ready !== undefined) resolve(ready);
    });
    void running.exit.then(() => reject(new Error(running.output())));
  });
  return { ...running, url: JSON.parse(line).url };
}

it('keeps objects and keys across kill -9, and starts again without repair', async () => {
  const first = await start();
  const order = { amount: 1110, currency: 'usd', metadata: { order_id: 'o1' } };
  const sdk = createSdk(first.url, secretKey);
  const made = await sdk.paymentIntents.create(order, { idempotencyKey: 'k' });
  await sdk.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' });
  first.child.kill('SIGKILL');
  await first.exit;
  expect(existsSync(join(dataDir, 'sandbox.pid'))).toBe(true);
  const second = await start({ SANDBOX_PORT: new URL(first.url).port });
  const later = createSdk(second.url, secretKey);
  const again = await later.paymentIntents.create(order, { idempotencyKey: 'k' });
  expect(again.id).toBe(made.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await later.paymentIntents.retrieve(made.id)).status).toBe('succeeded');
  await expect
    .poll(async () => (await later.charges.list()).data[0]?.balance_transaction)
    .toMatch(/^txn_/);
});

it('[O-142] returns the refund that was made before kill -9, although its answer was lost', async () => {
  const first = await start();
  const sdk = createSdk(first.url, secretKey);
  const { id } = await sdk.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_pendingRefund',
  });
  const request = { payment_intent: id, amount: 300 };
  const fault = { match: 'POST /v1/refunds', phase: 'after', action: 'drop', count: 9 };
  const body = JSON.stringify(fault);
  await fetch(`${first.url}/_sandbox/faults`, { method: 'POST', body });
  const lost = sdk.refunds.create(request, { idempotencyKey: 'r' });
  await expect(lost).rejects.toMatchObject({ type: 'StripeConnectionError' });
  first.child.kill('SIGKILL');
  await first.exit;
  const second = await start();
  await fetch(`${second.url}/_sandbox/faults`, { method: 'DELETE' });
  const later = createSdk(second.url, secretKey);
  const again = await later.refunds.create(request, { idempotencyKey: 'r' });
  expect(again).toMatchObject({ amount: 300, status: 'pending' });
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await later.refunds.list()).data).toHaveLength(1);
  await expectBooks(later);
});

it('stops cleanly on SIGTERM', async () => {
  const { child, exit } = await start();
  child.kill('SIGTERM');
  expect(await exit).toEqual({ code: 0 });
  expect(readdirSync(dataDir)).toEqual(['sandbox.sqlite']);
});

it('says in one sentence that the port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, '127.0.0.1', resolve);
  });
  const { port } = taken.address() as AddressInfo;
  const { exit, output } = run({ SANDBOX_PORT: String(port) });
  expect(await exit).toEqual({ code: 1 });
  expect(output()).toBe(
    `Port ${port} is taken by another program: set SANDBOX_PORT to a free one.\n`,
  );
  taken.close();
});

it('says in one sentence that another sandbox uses the folder', async () => {
  await start();
  const { exit, output } = run();
  expect(await exit).toEqual({ code: 1 });
  expect(output()).toBe(
    `Another sandbox runs over the folder ${dataDir}: stop it, or set SANDBOX_DATA_DIR.\n`,
  );
});

it('lists live keys, other hosts and remote webhook targets as faults, all at once', async () => {
  const { exit, output } = run({
    SANDBOX_HOST: '0.0.0.0',
    SANDBOX_SECRET_KEY: 'sk_live_x',
    SANDBOX_PUBLISHABLE_KEY: 'pk_live_x',
    SANDBOX_WEBHOOK_URL: 'https://example.com/hook',
  });
  expect(await exit).toEqual({ code: 1 });
  const faults = output().trim().split('\n');
  expect(faults).toHaveLength(4);
  expect(faults.join(' ')).toContain('loopback only');
  expect(faults.join(' ')).toContain('live keys are refused');
  expect(output()).not.toContain('sk_live_x');
});

it('never stores, logs or returns a card number', async () => {
  const { url, output, child, exit } = await start();
  const sdk = createSdk(url, secretKey);
  const answers: string[] = [];
  for (const { number } of [...testCards, { number: '4111111111111111' }]) {
    const intent = await sdk.paymentIntents.create({ amount: 1110, currency: 'usd' });
    const body = new URLSearchParams({
      key: publishableKey,
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': number.startsWith('37') ? '1234' : '123',
    });
    const headers = { 'idempotency-key': `confirm-${intent.id}` };
    const address = `${url}/v1/payment_intents/${intent.id}/confirm`;
    for (const wrong of ['', '&surprise=1', '&payment_method_data[card][exp_year]=x']) {
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: `${body.toString()}${wrong}`,
      });
      answers.push(await response.text());
    }
  }
  for (const path of ['events?limit=100', 'charges?limit=100', 'payment_intents?limit=100']) {
    const headers = { authorization: `Bearer ${secretKey}` };
    answers.push(await (await fetch(`${url}/v1/${path}`, { headers })).text());
  }
  answers.push(await (await fetch(`${url}/_sandbox/state`)).text());
  child.kill('SIGKILL');
  await exit;
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
  expect(files.join('')).toContain('pi_3');
  const everything = [...answers, ...files, output()].join('\n');
  for (const { number } of testCards) expect(everything.includes(number), number).toBe(false);
  expect(everything.includes('4111111111111111')).toBe(false);
});
