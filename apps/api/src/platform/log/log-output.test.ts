import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogOutput } from './log-output.ts';

/** A pipe whose reader reads only when the test does, so that the output can be full. */
let folder: string;
let reader: number;
let writer: number;
let output: LogOutput;
let received: string;
let decoder: StringDecoder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'athos-log-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  output = new LogOutput(writer);
  received = '';
  decoder = new StringDecoder('utf8');
});
afterEach(() => {
  closeSync(reader);
  closeSync(writer);
  rmSync(folder, { recursive: true });
});

const lines = (): string[] => received.split('\n').slice(0, -1);

/** Reads what has arrived. */
function read(): void {
  const part = Buffer.alloc(1_000_000);
  try {
    for (let count; (count = readSync(reader, part)) > 0;)
      received += decoder.write(part.subarray(0, count));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}

const hasReceived = (text: string) => (): boolean => {
  read();
  return received.includes(text);
};

const LINE = 'é'.repeat(100);
const LINES = 20_000;

it('keeps the first lines while the output accepts nothing, counts the others, and goes on when it accepts some', async () => {
  const onDrop = vi.fn<() => void>();
  output.onDrop = onDrop;
  output.onRecovery = (count) => output.write(`dropped: ${count}\n`);
  for (let at = 0; at < LINES; at++) output.write(`${at} ${LINE}\n`);
  expect(onDrop).toHaveBeenCalledOnce();
  await expect.poll(hasReceived('dropped')).toBe(true);
  const kept = lines().slice(0, -1);
  expect(kept).toEqual(kept.map((_, at) => `${at} ${LINE}`));
  expect(lines().at(-1)).toBe(`dropped: ${LINES - kept.length}`);
  output.write('next\n');
  await expect.poll(hasReceived('\nnext\n')).toBe(true);
});

it('writes at the end what still waits, and does not wait for an output that accepts nothing', () => {
  output.write('first\n');
  output.write('second\n');
  output.flush();
  for (let at = 0; at < LINES; at++) output.write(`${at} ${LINE}\n`);
  output.flush();
  read();
  expect(lines()).toContain('second');
});
