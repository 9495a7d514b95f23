/**
 * `npm run bench:tickets` measures ticket codes in Chromium: the scanner's verification of one on a processor slowed 4 times (20 ms at
 * most), and how long the widget's decoder takes to read one beside the signed JSON code of online codes, straight, tilted by 15°, blurred
 * and at half the size. Prints a table, and exits with 1 if a target is missed.
 */
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { signedQrText } from '@athos/domain/qr-payload';

const SLOWED = 4;
const VERIFY_MS_MAX = 20;
const VERIFY_COUNT = 200;
const READ_COUNT = 100;
/** Both take some 4 ms, so differences below half a millisecond are noise. */
const READ_RATIO_MAX = 1.1;
const ITEM_COUNTS = [1, 10, 40];
/** The wallet shows a signed code with more items than this without the logo; a ticket code always has it. */
const JSON_LOGO_ITEMS_MAX = 10;
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

const quantile = (times, share) =>
  times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * share)];

/** An unread code is `undefined` in the page and `null` here. */
const isAlwaysRead = (times) => times.every((ms) => typeof ms === 'number');

async function servePage() {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, 'page'),
    logLevel: 'error',
    plugins: [react(), tailwindcss()],
    build: { write: false, target: 'es2023', assetsInlineLimit: 0 },
  });
  const files = new Map(
    built.output.map((file) => [`/${file.fileName}`, file.code ?? file.source]),
  );
  const server = createServer(({ url }, response) => {
    const name = url === '/' ? '/index.html' : url;
    const type = TYPES[extname(name)] ?? 'text/plain';
    response.writeHead(files.has(name) ? 200 : 404, { 'content-type': type });
    response.end(files.get(name));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The signed code of a purchase, as shown online, with ids as large as the ticket's. */
const jsonCode = (itemCount) =>
  signedQrText(
    {
      t: 'purchase',
      d: {
        a: '0192dddd-0000-7000-8000-000000000004',
        t: 1_795_262_400_000,
        v: 1,
        i: Array.from({ length: itemCount }, (_, index) => 9_000_001 + index),
      },
    },
    'aB3_'.repeat(22).slice(0, 86),
  );

async function shoot(page, text, hasLogo = true) {
  await page.evaluate(
    ([value, isMarked]) => globalThis.tickets.show(value, isMarked),
    [text, hasLogo],
  );
  const code = page.locator('#root > div');
  await code.waitFor();
  return { text, png: (await code.screenshot()).toString('base64') };
}

const server = await servePage();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
let isMissed = false;
try {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => globalThis.tickets !== undefined);

  const shots = [];
  const codes = [];
  for (const itemCount of ITEM_COUNTS) {
    const code = await page.evaluate((count) => globalThis.tickets.makeCode(count), itemCount);
    codes.push(code);
    const json = await shoot(page, jsonCode(itemCount), itemCount <= JSON_LOGO_ITEMS_MAX);
    shots.push(json, await shoot(page, code.text));
  }
  const views = await page.evaluate(
    ([given, count]) => globalThis.tickets.timeReading(given, count),
    [shots, READ_COUNT],
  );
  for (const [view, times] of Object.entries(views)) {
    for (const [index, itemCount] of ITEM_COUNTS.entries()) {
      const [json, ticket] = [times[2 * index], times[2 * index + 1]];
      const isRead = isAlwaysRead(ticket);
      // A JSON code that is unreadable in a view cannot be compared: reading the ticket at all is better.
      const jsonMs = isAlwaysRead(json) ? quantile(json, 0.5) : Number.POSITIVE_INFINITY;
      const ticketMs = isRead ? quantile(ticket, 0.5) : Number.POSITIVE_INFINITY;
      const ratio = ticketMs / jsonMs;
      const isReached = isRead && ratio <= READ_RATIO_MAX;
      isMissed ||= !isReached;
      console.log(
        `read, ${view}, ${itemCount} items: ticket ${ticketMs.toFixed(1)} ms, JSON ${jsonMs.toFixed(1)} ms, ratio ${ratio.toFixed(2)} (at most ${READ_RATIO_MAX})${isReached ? '' : '  MISSED'}`,
      );
    }
  }

  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  for (const [index, itemCount] of ITEM_COUNTS.entries()) {
    const times = await page.evaluate(
      ([code, count]) => globalThis.tickets.timeVerifying(code, count),
      [codes[index], VERIFY_COUNT],
    );
    const p99 = quantile(times, 0.99);
    const isReached = p99 <= VERIFY_MS_MAX;
    isMissed ||= !isReached;
    console.log(
      `check, processor slowed ${SLOWED} times, ${itemCount} items: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (at most ${VERIFY_MS_MAX})${isReached ? '' : '  MISSED'}`,
    );
  }
} finally {
  await browser.close();
  server.close();
}
process.exitCode = isMissed ? 1 : 0;
