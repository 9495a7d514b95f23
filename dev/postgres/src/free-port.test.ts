import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findFreePort, takePort } from './free-port.ts';

it('gives each port once, although nobody listens on it yet, and none that is taken', async () => {
  const first = await findFreePort();
  const taken = createServer().listen(first + 1, '127.0.0.1');
  await once(taken, 'listening');
  const ports = [first];
  while (ports.length < 100) ports.push(await findFreePort());
  taken.close();
  expect(new Set(ports).size).toBe(100);
  expect(ports).not.toContain(first + 1);
});

it('gives no port that was taken by its number, and lets nobody take one twice', async () => {
  const next = (await findFreePort()) + 1;
  expect(await takePort(next)).toBe(true);
  expect(await takePort(next)).toBe(false);
  expect(await findFreePort()).toBe(next + 1);
});

it('gives different ports to processes that start together', async () => {
  const module = join(import.meta.dirname, 'free-port.ts');
  const program = `
    const { findFreePort } = await import(${JSON.stringify(module)});
    for (let count = 0; count < 5; count++) console.log(await findFreePort());`;
  const choose = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const chosen = await Promise.all([choose(), choose(), choose()]);
  const ports = chosen.flatMap(({ stdout }) => stdout.trim().split('\n'));
  expect(new Set(ports).size).toBe(15);
});
