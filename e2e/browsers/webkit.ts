/** WebKitGTK with its own display, one per worker. Each story gets a session in a fresh browser. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebDriverSession } from './web-driver.ts';

/** Set by `npm run test:browsers`. */
const PROGRAMS = {
  driver: process.env['WEBKIT_DRIVER_PATH'] ?? 'WebKitWebDriver',
  browser: process.env['MINI_BROWSER_PATH'] ?? 'MiniBrowser',
  display: process.env['XVFB_PATH'] ?? 'Xvfb',
};
const START_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

export interface WebKit {
  open(): Promise<WebDriverSession>;
  close(): Promise<void>;
}

/** @throws Error if it does not start within 30 s */
export async function startWebKit(): Promise<WebKit> {
  const display = spawn(PROGRAMS.display, ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const displayNumber = await readLine(display.stdio[3] as Readable);
  const port = await freePort();
  const driver = spawn(PROGRAMS.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${displayNumber}`, GDK_BACKEND: 'x11' },
  });
  const address = `http://127.0.0.1:${port}`;
  await waitForDriver(address);
  return {
    open: () =>
      WebDriverSession.open(address, {
        'webkitgtk:browserOptions': { binary: PROGRAMS.browser, args: ['--automation'] },
      }),
    async close() {
      await end(driver);
      await end(display);
    },
  };
}

async function readLine(stream: Readable): Promise<string> {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    if (text.includes('\n')) return text.trim();
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('The display does not start');
}

async function waitForDriver(address: string): Promise<void> {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    const isUp = await fetch(`${address}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('The driver of WebKitGTK does not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
