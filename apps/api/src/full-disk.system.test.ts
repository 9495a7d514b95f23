/** Exports and pictures on a full disk: a small tmpfs in a mount namespace, which is seen through /proc. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleAs, type ConsoleCaller } from '../test/console.ts';
import { recordLog } from '../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';

/** Mounting needs root, and containers may forbid it even then. */
const mayMount =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;
const PART_BYTES = 4_096;
/** What is left of the full disk: less than the files of these tests, so that each of them is begun. */
const LEFT_BYTES = 16 * PART_BYTES;

const { log, lines } = recordLog();
let holder: ChildProcess;
let disk: string;
let test: TestApp;
let owner: ConsoleCaller;

/** Mounts a disk in a namespace that lasts as long as this process. Resolves with its path. */
async function mountSmallDisk(): Promise<string> {
  const mount = 'mount -t tmpfs -o size=4m,mode=700 tmpfs "$0" && echo mounted && exec cat';
  holder = spawn('unshare', ['--mount', 'sh', '-c', mount, tmpdir()], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (holder.stdout === null) throw new Error('its output is not read');
  await once(holder.stdout, 'data');
  return join(`/proc/${holder.pid}/root`, tmpdir());
}

const filler = (): string => join(disk, 'filler');

function fillDisk(): void {
  const file = openSync(filler(), 'w');
  let written = 0;
  try {
    for (;;) written += writeSync(file, Buffer.alloc(PART_BYTES));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
    ftruncateSync(file, written - LEFT_BYTES);
  } finally {
    closeSync(file);
  }
}

const makeRoom = (): void => rmSync(filler(), { force: true });

const filesOn = (folder: string): string[] =>
  readdirSync(join(disk, folder), { recursive: true, encoding: 'utf8' });

const causesOf = (event: string): string[] =>
  lines.filter((line) => line.includes(event) && line.includes('ENOSPC'));

describe.runIf(mayMount)('on a full disk', () => {
  beforeAll(async () => {
    disk = await mountSmallDisk();
    test = await createTestApp({
      log,
      env: { MEDIA_DIR: join(disk, 'media'), EXPORT_DIR: join(disk, 'exports') },
    });
    owner = await consoleAs(test, ['provider_owner']);
    await sql`
      insert into users (email, password_hash) select 'row-' || n || '@athos.example', 'none'
        from generate_series(1, 2100) n`.execute(test.deps.db);
  });
  afterEach(makeRoom);
  afterAll(async () => {
    await test.close();
    const exited = once(holder, 'exit');
    holder.stdin?.end();
    await exited;
  });

  it('an export fails and says so, leaves no file, and the next one is written', async () => {
    const exported = async () => {
      const asked = await owner.call('exportList', { body: { list: 'customers', filters: {} } });
      await test.runJobs();
      return (await owner.call('export', { params: { id: asked.body.id } })).body;
    };
    fillDisk();
    expect(await exported()).toMatchObject({ state: 'failed', byte_count: null });
    expect(causesOf('export_failed')).toHaveLength(1);
    expect(filesOn('exports')).toEqual([]);
    makeRoom();
    const ready = await exported();
    expect(ready.state).toBe('ready');
    expect(Number(ready.byte_count)).toBeGreaterThan(LEFT_BYTES);
    expect(filesOn('exports')).toEqual([ready.id]);
  });

  it('a picture is refused with 503, leaves no half file, and can be sent again', async () => {
    const editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const picture = await sharp({
      create: { width: 640, height: 480, channels: 3, background: '#000', noise },
    })
      .png()
      .toBuffer();
    expect(picture.length).toBeGreaterThan(LEFT_BYTES);
    const upload = () =>
      editor.ask(consoleApi.uploadPicture, {
        body: picture,
        headers: { 'content-type': 'image/png' },
      });
    fillDisk();
    const refused = await upload();
    expect([refused.status, refused.body.code]).toEqual([503, 'try_again']);
    expect(causesOf('request failed')).toHaveLength(1);
    // The upload was refused at the first file that failed, while others were still written.
    const halfFiles = () => filesOn('media').filter((name) => name.endsWith('.part'));
    await expect.poll(halfFiles).toEqual([]);
    const shown = await test.deps.db.selectFrom('pictures').select('formats').execute();
    expect(shown).toEqual([{ formats: [] }]);
    makeRoom();
    const stored = await upload();
    expect(stored.status).toBe(200);
    const file = await test.app.inject({ url: `/media/${stored.body.id}/640.webp` });
    expect(file.statusCode).toBe(200);
  });
});
