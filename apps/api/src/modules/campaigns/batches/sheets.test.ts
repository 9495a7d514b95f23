/** Batches as sheets to print, and the memory that a long sheet takes. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SheetForm } from '@athos/contract/console/batches';
import { createCampaign, drawCode, redeem } from '../../../../test/build-reward.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { readPdfTexts } from '@athos/testing/pdf';
import { readPrintedCodes } from '@athos/testing/printed-codes';
import { refusalOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { SHEET_FONT } from '../../../fonts.ts';
import { writeSheet } from './code-sheet.ts';

const REASON = 'For the bottles of the summer';

let dir: string;
let test: TestApp;
let brand: ConsoleCaller;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sheets-'));
  test = await createTestApp({ env: { EXPORT_DIR: dir } });
});
beforeEach(async () => {
  brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await test.close();
  await rm(dir, { recursive: true, force: true });
});

async function madeBatch(codeCount: number): Promise<string> {
  await createCampaign(test);
  const [campaign] = (await brand.call('campaigns')).body.items;
  const { body } = await brand.call('makeBatch', {
    params: { id: campaign.id },
    body: { label: 'Łódź, bottles & <b>', code_count: codeCount, reason: REASON },
  });
  await test.runJobs();
  return body.batch_id;
}

const makeSheet = (id: string, form: SheetForm) =>
  brand.call('makeSheet', { params: { id }, body: { form } });

async function download(id: string, form: SheetForm): Promise<{ pdf: Buffer; name: string }> {
  const link = await brand.call('batchLink', { params: { id }, body: { form } });
  const url = new URL(link.body.path, 'http://console');
  const answer = await test.app.inject({
    method: 'GET',
    url: url.pathname + url.search,
    headers: { cookie: brand.setCookie.split(';')[0] ?? '', 'x-console': '1' },
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  return { pdf: answer.rawPayload, name: String(answer.headers['content-disposition']) };
}

it('[O-090] a batch is handed out as sheets whose QR codes redeem', { tags: 'long' }, async () => {
  const id = await madeBatch(25);
  const asked = await makeSheet(id, 'a4_3x8');
  expect(asked.body.sheets).toEqual([
    { form: 'a4_3x8', state: 'waiting', pages_done: 0, page_count: 2 },
  ]);
  await test.runJobs();
  const { pdf, name } = await download(id, 'a4_3x8');
  expect(name).toBe(`attachment; filename="codes-${id}-a4_3x8.pdf"`);
  expect(pdf.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]');
  const pages = await readPrintedCodes(pdf);
  expect(pages.map((links) => links.length)).toEqual([24, 1]);
  const links = pages.flat().map((link) => new URL(link));
  const prefix = `${test.deps.config.publicUrl}/app/redeem`;
  for (const link of links) expect(link.origin + link.pathname).toBe(prefix);
  const codes = links.map((link) => link.searchParams.get('code') ?? '');
  // The whole code is printed beside each QR code, so that it can be typed. The label is printed with the letters of its language.
  const texts = readPdfTexts(pdf);
  for (const code of codes) {
    const half = texts.indexOf(code.slice(0, 9));
    expect(texts[half + 1]).toBe(code.slice(10));
  }
  expect(texts.join(' ').match(/Łódź, bottles & +<b>/g)).toHaveLength(25);
  expect(new Set(codes).size).toBe(25);
  for (const code of [codes[0] ?? '', codes[24] ?? '']) {
    expect((await redeem(test, await test.createUser(), code)).status).toBe(200);
  }
});

it('the four forms have as many cards as they say', { tags: 'long' }, async () => {
  const id = await madeBatch(11);
  const pageCounts = { a4_2x5: [10, 1], a4_3x8: [11], letter_2x5: [10, 1], letter_3x8: [11] };
  for (const [form, counts] of Object.entries(pageCounts) as [SheetForm, number[]][]) {
    await makeSheet(id, form);
    await test.runJobs();
    const { pdf } = await download(id, form);
    const box = form.startsWith('a4') ? '[0 0 595.28 841.89]' : '[0 0 612 792]';
    expect(pdf.toString('latin1')).toContain(`/MediaBox ${box}`);
    expect((await readPrintedCodes(pdf)).map((links) => links.length)).toEqual(counts);
  }
});

it('a sheet counts among the five downloads, and is gone with its batch', async () => {
  const id = await madeBatch(1);
  await makeSheet(id, 'a4_2x5');
  const early = await brand.call('batchLink', { params: { id }, body: { form: 'a4_2x5' } });
  expect(early.status).toBe(404);
  await test.runJobs();
  expect((await makeSheet(id, 'a4_2x5')).body.sheets[0].state).toBe('ready');
  for (let count = 0; count < 5; count += 1) await download(id, 'a4_2x5');
  const sixth = await brand.call('batchLink', { params: { id }, body: { form: 'a4_2x5' } });
  expect(refusalOf(sixth)).toEqual({ status: 409, code: 'file_gone' });
  await test.runJobs();
  expect(readdirSync(join(dir, 'batches')).filter((name) => name.startsWith(id))).toEqual([]);
  const { rows } = await sql`select from reward_sheets where batch_id = ${id}`.execute(
    test.deps.db,
  );
  expect(rows).toEqual([]);
  expect(refusalOf(await makeSheet(id, 'a4_2x5')).code).toBe('file_gone');
});

it('a sheet of many pages is written page after page', { tags: 'long' }, async () => {
  const pages: number[] = [];
  const writes: { bytes: number; pages: number }[] = [];
  const codes = async function* () {
    for (let page = 0; page < 10; page += 1) yield Array.from({ length: 24 }, drawCode);
  };
  await writeSheet(
    codes(),
    { form: 'a4_3x8', label: 'Long', publicUrl: 'https://wallet.example', fontFile: SHEET_FONT },
    async (bytes) => void writes.push({ bytes: bytes.length, pages: pages.length }),
    async (pageCount) => void pages.push(pageCount),
  );
  expect(pages).toHaveLength(10);
  const sumAfter = (pageCount: number) =>
    writes.filter((write) => write.pages <= pageCount).reduce((sum, { bytes }) => sum + bytes, 0);
  // Each page is written before the page after the next one begins.
  expect(sumAfter(9)).toBeGreaterThan(8 * (sumAfter(2) - sumAfter(1)));
});
