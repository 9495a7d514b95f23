import { spawnSync } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt, RECEIPT_STEPS } from '@athos/domain/check-receipt';
import { movementOf, type Receipt, type ReceiptPart } from '@athos/domain/receipt';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { createSealer, nodeCrypto, type Sealer } from '../../../test/seals.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
let sealer: Sealer;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  sealer = createSealer(test);
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function send(amount = '2500000', key = randomUUID()): Promise<number> {
  const payload = { amount, to_uuid: ben.uuid };
  const url = '/api/account/transfer';
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user: ada });
  expect(status).toBe(200);
  return body.id;
}

const ask = (id: number | string, user?: TestUser) =>
  test.request({
    method: 'GET',
    url: `/api/all_history/${id}/receipt`,
    ...(user !== undefined && { user }),
  });

async function receiptOf(id: number, user: TestUser): Promise<Receipt> {
  const { status, body } = await ask(id, user);
  expect(status).toBe(200);
  expect(body.receipt).not.toBeNull();
  return body.receipt;
}

async function published(receipt: Receipt) {
  const until = receipt.day === null ? '' : `?limit=1&until=${receipt.day.day}`;
  const { body } = await test.request({ method: 'GET', url: `/api/ledger/heads${until}` });
  return { keys: body.keys as string[], head: body.heads[0]?.hash as string | undefined };
}

async function check(receipt: Receipt, expected = movementOf(receipt)) {
  const given = expected ?? { id: '', asset: '', amountUnits: '' };
  const options = { expected: given, published: await published(receipt), crypto: nodeCrypto };
  return checkReceipt(receipt, options);
}

/** The step that refused the receipt; `undefined` if none did. */
const wrongStep = async (receipt: Receipt): Promise<string | undefined> =>
  (await check(receipt)).find(({ verdict }) => verdict === 'wrong')?.step;

const part = (receipt: Receipt, name: ReceiptPart['name']): ReceiptPart => {
  const found = receipt.parts.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`the receipt has no ${name}`);
  return found;
};

describe('GET all_history/{id}/receipt', () => {
  it('answers null until the movement is sealed', async () => {
    const id = await send();
    expect((await ask(id, ada)).body).toEqual({ receipt: null });
    await sealer.sealAll();
    expect(movementOf(await receiptOf(id, ada))).toMatchObject({
      id: String(id),
      asset: 'ATH',
      amountUnits: '2500000',
      kind: 1,
    });
  });

  it(
    '[W-132] leads from the movement to its signed seal at once, and to the head of its day when that has ended',
    { tags: 'long' },
    async () => {
      const ids: number[] = [];
      for (let count = 0; count < 150; count += 1) ids.push(await send('1000'));
      await sealer.sealAll();
      // Checks the first, the last, and both sides of the places where the tree is cut.
      const asked = [0, 1, 62, 63, 64, 65, 127, 128, 149].map((index) => ids[index] ?? 0);
      for (const id of asked) {
        const steps = await check(await receiptOf(id, ada));
        expect(steps.slice(0, 4)).toEqual(
          RECEIPT_STEPS.slice(0, 4).map((step) => ({ step, verdict: 'right' })),
        );
        expect(steps.slice(4).map(({ verdict }) => verdict)).toEqual(Array(4).fill('later'));
      }
      await sealer.endDay();
      for (const id of asked) {
        const receipt = await receiptOf(id, ben);
        expect(await check(receipt)).toEqual(
          RECEIPT_STEPS.map((step) => ({ step, verdict: 'right' })),
        );
        // The size of the sent bytes. Hashes compress to half the length of their hexadecimal digits.
        expect(gzipSync(JSON.stringify({ receipt })).length).toBeLessThanOrEqual(3_000);
      }
    },
  );

  it('is checked within 50 ms of a core', async () => {
    const id = await send();
    await sealer.endDay();
    const receipt = await receiptOf(id, ada);
    const given = await published(receipt);
    const expected = movementOf(receipt) ?? { id: '', asset: '', amountUnits: '' };
    const checkOnce = () =>
      checkReceipt(receipt, { expected, published: given, crypto: nodeCrypto });
    // The first call also compiles the code.
    expect((await checkOnce()).at(-1)?.verdict).toBe('right');
    const before = process.cpuUsage();
    for (let count = 0; count < 10; count += 1) await checkOnce();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 10_000).toBeLessThanOrEqual(50);
  });

  it('is given to both sides and nobody else, and not for what is no movement', async () => {
    const id = await send();
    await sealer.sealAll();
    const eve = await test.createUser();
    expect((await ask(id, ada)).status).toBe(200);
    expect((await ask(id, ben)).status).toBe(200);
    expect((await ask(id, eve)).status).toBe(404);
    expect((await ask(id)).status).toBe(401);
    expect((await ask(id + 1, ada)).status).toBe(404);
    expect((await ask('x', ada)).status).toBe(400);
  });
});

describe('a receipt', () => {
  it(
    '[W-135] shows neither balance nor key of the other side, and trying values does not find them',
    { tags: 'long' },
    async () => {
      const key = randomUUID();
      const id = await send('7000000', key);
      await sealer.sealAll();
      const [payers, payees] = [await receiptOf(id, ada), await receiptOf(id, ben)];
      expect(part(payers, 'payer_books')).toMatchObject({ text: expect.stringContaining(key) });
      expect(JSON.stringify(payees)).not.toContain(key);
      expect(JSON.stringify(payees)).not.toContain(ada.uuid);
      expect(JSON.stringify(payers)).not.toContain(ben.uuid);
      for (const [receipt, hidden] of [
        [payers, ['payee', 'payee_books']],
        [payees, ['payer', 'payer_books']],
      ] as const) {
        for (const name of hidden) {
          expect(part(receipt, name)).toEqual({ name, hash: expect.any(String) });
        }
      }
      // Ben gets more than any receiver would know: the text of the part except for its balance, and all salts of his own.
      const opened = part(payers, 'payer_books');
      const text = 'text' in opened ? opened.text : '';
      const [balance = '', ...others] = text.split('|');
      const { hash } = part(payees, 'payer_books') as { hash: string };
      const salts = payees.parts.flatMap((known) =>
        'salt' in known ? [Buffer.from(known.salt, 'hex')] : [],
      );
      const tries = [Buffer.alloc(0), Buffer.alloc(16), ...salts];
      const from = parseInt(balance, 10) - 100_000;
      let foundCount = 0;
      for (let value = from; value <= from + 200_000; value += 1) {
        const guess = [value, ...others].join('|');
        for (const salt of tries) {
          const guessed = createHash('sha256').update(salt).update(guess).digest('hex');
          if (guessed === hash) foundCount += 1;
        }
      }
      expect(foundCount).toBe(0);
      // With the key, the same search finds the text, so the loop above tried the right texts.
      const [receiptKey = Buffer.alloc(0)] = test.deps.config.receiptKeys;
      const salt = createHmac('sha256', receiptKey).update(`payer_books|${id}`).digest();
      const found = createHash('sha256').update(salt.subarray(0, 16)).update(text).digest('hex');
      expect(found).toBe(hash);
    },
  );

  it('[W-133] is accepted from what it contains and what is published, without a question about it', async () => {
    const id = await send();
    await sealer.endDay();
    const receipt = await receiptOf(id, ada);
    const given = await published(receipt);
    const expected = { id: String(id), asset: 'ATH', amountUnits: '2500000' };
    const steps = await checkReceipt(receipt, { expected, published: given, crypto: nodeCrypto });
    expect(steps).toEqual(RECEIPT_STEPS.map((step) => ({ step, verdict: 'right' })));
  });

  it(
    '[W-134] is refused with one bit of anything changed, and the step is named',
    { tags: 'long' },
    async () => {
      for (let count = 0; count < 70; count += 1) await send('1000');
      const id = await send();
      await sealer.endDay();
      const receipt = await receiptOf(id, ada);
      expect(await wrongStep(receipt)).toBeUndefined();
      const given = await published(receipt);
      const expected = { id: String(id), asset: 'ATH', amountUnits: '2500000' };
      const stepsThatRefuse = async (path: readonly (string | number)[], text: string) => {
        const refused = new Set<string | undefined>();
        for (let at = 0; at < text.length; at += 1) {
          // Flips the lowest bit of a character, which turns a hexadecimal digit into a neighbouring one.
          const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1);
          const changed = structuredClone(receipt) as unknown as Record<string, unknown>;
          let place: Record<string | number, unknown> = changed;
          for (const step of path.slice(0, -1)) place = place[step] as typeof place;
          const last = path.at(-1) ?? '';
          const value = text.slice(0, at) + flipped + text.slice(at + 1);
          place[last] = typeof place[last] === 'number' ? Number(value) : value;
          const options = { expected, published: given, crypto: nodeCrypto };
          const steps = await checkReceipt(changed as unknown as Receipt, options);
          refused.add(steps.find(({ verdict }) => verdict === 'wrong')?.step);
        }
        return [...refused];
      };
      const everyText = (
        value: unknown,
        path: (string | number)[] = [],
      ): [typeof path, string][] =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([key, inner]) => everyText(inner, [...path, key]))
          : [[path, String(value)]];
      const stepOf: Readonly<Record<string, string | RegExp>> = {
        parts: 'parts',
        leaf: 'parts',
        path: 'path',
        seal: 'seal',
        'seal.signature': 'seal_signature',
        'seal.key': 'seal_signature',
        day_path: 'place_in_day',
        day: 'day',
        'day.signature': 'day_signature',
        'day.key': 'day_signature',
      };
      const texts = everyText(receipt).filter(
        ([path]) => !['version', 'side'].includes(String(path.at(-1))),
      );
      expect(texts.length).toBeGreaterThan(30);
      for (const [path, text] of texts) {
        const name = `${path[0]}.${path[1]}`;
        const expectedStep = stepOf[name] ?? stepOf[String(path[0])];
        expect([path.join('.'), await stepsThatRefuse(path, text)]).toEqual([
          path.join('.'),
          [expectedStep],
        ]);
      }
      for (const at of receipt.path.keys()) {
        const sides = receipt.path.map((step, index) =>
          index === at ? { ...step, side: step.side === 'left' ? 'right' : 'left' } : step,
        ) as Receipt['path'];
        expect(await wrongStep({ ...receipt, path: sides })).toBe('path');
      }
    },
  );

  it('is refused for another movement, another day and a key that was never published', async () => {
    const [id, other] = [await send('1000000'), await send('9000000')];
    await sealer.endDay();
    const [receipt, another] = [await receiptOf(id, ada), await receiptOf(other, ada)];
    const stepFor = async (given: Receipt, expected: ReturnType<typeof movementOf>) =>
      (await check(given, expected)).find(({ verdict }) => verdict === 'wrong')?.step;
    expect(await stepFor(receipt, movementOf(another))).toBe('parts');
    expect(await stepFor({ ...receipt, parts: another.parts }, movementOf(another))).toBe('parts');
    const swapped = { ...receipt, parts: another.parts, leaf: another.leaf };
    expect(await stepFor(swapped, movementOf(another))).toBe('path');
    expect(await stepFor({ ...receipt, parts: [] }, movementOf(receipt))).toBe('parts');
    const expected = movementOf(receipt) ?? { id: '', asset: '', amountUnits: '' };
    const { keys } = await published(receipt);
    const steps = await checkReceipt(receipt, {
      expected,
      published: { keys, head: receipt.seal.hash },
      crypto: nodeCrypto,
    });
    expect(steps.at(-1)).toEqual({ step: 'published', verdict: 'wrong' });
    const unknown = await checkReceipt(receipt, {
      expected,
      published: { keys: [], head: undefined },
      crypto: nodeCrypto,
    });
    expect(unknown.at(-1)).toEqual({ step: 'seal_signature', verdict: 'wrong' });
  });
});

describe('docs/receipts.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/receipts.md'), 'utf8');
  const block = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
  const run = (command: string, words: readonly string[]) => {
    const { status, stdout } = spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
    return { status, stdout };
  };
  let receipt: Receipt;

  beforeAll(async () => {
    const id = await send('3000000');
    await sealer.endDay();
    receipt = await receiptOf(id, ada);
    const until = receipt.day?.day ?? '';
    const { body } = await test.request({ method: 'GET', url: `/api/ledger/heads?until=${until}` });
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
    writeFileSync(join(folder, 'heads.json'), JSON.stringify(body));
    writeFileSync(join(folder, 'check-receipt.mjs'), block('js'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives a script that accepts a receipt, and names the step at which a changed one is wrong', () => {
    const check = (file: string) =>
      run(process.execPath, ['check-receipt.mjs', file, 'heads.json']);
    const right = check('receipt.json');
    expect(right.stdout.match(/^right/gm)).toHaveLength(8);
    expect(right.stdout).toContain('|ATH|3000000|1|');
    expect(right.status).toBe(0);
    const [first, ...others] = receipt.parts;
    const changed = {
      ...first,
      text: first && 'text' in first ? first.text.replace('|3', '|4') : '',
    };
    writeFileSync(
      join(folder, 'changed.json'),
      JSON.stringify({ ...receipt, parts: [changed, ...others] }),
    );
    const wrong = check('changed.json');
    expect(wrong.stdout.match(/^WRONG .*/gm)).toEqual(['WRONG  parts']);
    expect(wrong.status).toBe(1);
  });

  it('gives commands of openssl that verify the signature of a seal', { tags: 'long' }, () => {
    // The test is not skipped without OpenSSL: otherwise a page with untested commands would pass.
    const { stdout: version } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
    expect(version, 'this test needs OpenSSL 3').toMatch(/^OpenSSL 3/);
    const { status, stdout } = run('bash', ['-c', `set -e\n${block('sh')}`]);
    expect(status).toBe(0);
    expect(stdout).toContain('Signature Verified Successfully');
    const [opened] = receipt.parts;
    const { salt = '', text = '' } = { ...opened } as { salt?: string; text?: string };
    const hash = createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex');
    expect(stdout).toContain(hash);
  });
});
