import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, isSatisfied, refuseWhereServing } from './bootstrap/dependencies.mjs';
import { BootstrapError, withInstallLock } from './bootstrap/install.mjs';
import { isNodeRecent } from './bootstrap/node-runtime.mjs';

const bootstrap = join(import.meta.dirname, 'bootstrap.mjs');
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'athos-bootstrap-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('isNodeRecent', () => {
  it.each([
    ['18.20.8', false],
    ['v20.11.1', false],
    ['23.9.0', false],
    ['24.0.0', true],
    ['v26.1.0', true],
  ])('%s: %s', (version, expected) => {
    expect(isNodeRecent(version)).toBe(expected);
  });
});

describe('isSatisfied', () => {
  const wanted = {
    '': {},
    'packages/domain': { version: '0.1.0' },
    'node_modules/@athos/domain': { link: true },
    'node_modules/pg': { version: '8.23.1', integrity: 'sha512-a' },
    'node_modules/fsevents': { version: '2.3.3', optional: true },
  };
  const installed = {
    'node_modules/@athos/domain': { link: true },
    'node_modules/pg': { version: '8.23.1', integrity: 'sha512-a' },
  };

  it('is true when only optional packages of other platforms are missing', () => {
    expect(isSatisfied(wanted, installed)).toBe(true);
  });

  it('is false when an optional package of this platform is missing', () => {
    const binary = { version: '1.0.0', optional: true, os: [process.platform], cpu: ['other'] };
    const place = 'node_modules/@bundler/binary';
    expect(isSatisfied({ [place]: binary }, {})).toBe(true);
    expect(isSatisfied({ [place]: { ...binary, cpu: [process.arch] } }, {})).toBe(false);
    const foreign = { ...binary, cpu: [process.arch], libc: ['musl'] };
    expect(isSatisfied({ [place]: foreign }, {})).toBe(true);
  });

  it.each([
    ['a missing package', { 'node_modules/@athos/domain': { link: true } }],
    ['a missing workspace', { 'node_modules/pg': installed['node_modules/pg'] }],
    ['another version', { ...installed, 'node_modules/pg': { version: '8.23.0' } }],
    [
      'another content',
      { ...installed, 'node_modules/pg': { version: '8.23.1', integrity: 'sha512-b' } },
    ],
    [
      'an optional package in another version',
      { ...installed, 'node_modules/fsevents': { version: '2.3.2' } },
    ],
  ])('is false with %s', (_, found) => {
    expect(isSatisfied(wanted, found)).toBe(false);
  });
});

describe('isInstalled', () => {
  it('is true for this repository, whatever its file times', () => {
    expect(isInstalled(join(import.meta.dirname, '..'))).toBe(true);
  });

  it('is false on a fresh clone and after an interrupted installation', () => {
    const root = join(dir, 'clone');
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    cpSync(join(import.meta.dirname, '../package-lock.json'), join(root, 'package-lock.json'));
    expect(isInstalled(root)).toBe(false);
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":');
    expect(isInstalled(root)).toBe(false);
  });
});

describe('refuseWhereServing', () => {
  it('refuses a release that was installed to serve, and none that is still to be installed', () => {
    const root = join(dir, 'release');
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    cpSync(join(import.meta.dirname, '../package-lock.json'), join(root, 'package-lock.json'));
    writeFileSync(join(root, 'release.json'), '{}');
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":{}}');
    expect(() => refuseWhereServing(root)).toThrow('installed to serve');
    rmSync(join(root, 'node_modules'), { recursive: true });
    refuseWhereServing(root);
  });
});

describe('withInstallLock', () => {
  it('takes over the lock of a dead process', () => {
    const root = mkdtempSync(join(dir, 'stale-'));
    mkdirSync(join(root, '.node'));
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(root, '.node/install.lock'), String(pid));
    let isDone = false;
    withInstallLock(root, () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });

  it('says who must install when the checkout is not writable', () => {
    const root = join(dir, 'file');
    writeFileSync(root, 'not a folder');
    expect(() => withInstallLock(root, () => {})).toThrow(BootstrapError);
  });
});

describe('bootstrap', () => {
  it('runs a script with its arguments and exits with its code', () => {
    const script = join(dir, 'exit.ts');
    writeFileSync(
      script,
      'const words: string[] = process.argv.slice(2); console.log(words.join()); process.exit(3);',
    );
    const result = spawnSync(process.execPath, [bootstrap, script, 'a', '--b'], {
      encoding: 'utf8',
    });
    expect(result.stdout).toBe('a,--b\n');
    expect(result.status).toBe(3);
  });

  it('runs a tool of node_modules', () => {
    const version = execFileSync(process.execPath, [bootstrap, 'npx', 'prettier', '--version'], {
      encoding: 'utf8',
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('names an unknown tool', () => {
    const result = spawnSync(process.execPath, [bootstrap, 'npx', 'no-such-tool'], {
      encoding: 'utf8',
    });
    expect(result.stderr).toBe('There is no tool "no-such-tool" in node_modules.\n');
    expect(result.status).toBe(1);
  });

  it('forwards signals to the script', async () => {
    const script = join(dir, 'signal.ts');
    writeFileSync(
      script,
      "process.on('SIGTERM', () => process.exit(8)); setInterval(() => {}, 1000); console.log('up');",
    );
    const child = spawn(process.execPath, [bootstrap, script]);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(8);
  });
});
