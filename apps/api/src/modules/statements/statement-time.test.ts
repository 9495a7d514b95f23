import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Statement } from '@athos/contract/wallet/statements';
import { statementCsv } from './statement-csv.ts';
import { statementPdf } from './statement-pdf.ts';

const LINE_COUNT = 10_000;
const fontFile = join(import.meta.dirname, '../../../fonts/figtree-500.woff');

const statement: Statement = {
  account: '0192f3a1-7c1e-7d55-8a31-0b7c2d4f6e11',
  asset: 'ATH',
  month: '2026-10',
  zone: 'Europe/Vienna',
  from: '2026-09-30T22:00:00.000Z',
  to: '2026-10-31T23:00:00.000Z',
  is_running: false,
  opening: '0',
  closing: '0',
  sums: [],
  card_paid_cents: 0,
  card_fee_cents: 0,
  lines: Array.from({ length: LINE_COUNT }, (_, index) => ({
    id: index + 1,
    receipt: `R-${index + 1}-M`,
    at: '2026-10-05T12:00:00.000Z',
    kind: 'send',
    title: '',
    counterparty: '0192f3a1-7c1e-7d55-8a31-0b7c2d4f6e12',
    card: null,
    change: `-${index + 1}`,
    balance_after: '123456789',
    usd_cents: index,
    note: index % 3 === 0 ? 'Lunch with friends' : '',
    labels: index % 5 === 0 ? ['Home'] : [],
  })),
  head: null,
};

/** Of this process, so that other work of the machine does not count. */
async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('takes at most 5 s of a core for a PDF of 10,000 lines, and 2 s for a CSV', async () => {
  const options = { fontFile, madeAt: new Date('2026-11-01T00:00:00Z') };
  // The first lines also load and compile the code.
  await statementPdf({ ...statement, lines: statement.lines.slice(0, 500) }, options);
  expect(await cpuMsOf(() => statementPdf(statement, options))).toBeLessThanOrEqual(5_000);
  expect(await cpuMsOf(() => statementCsv(statement))).toBeLessThanOrEqual(2_000);
}, 300_000);
