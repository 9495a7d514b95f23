import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError, runNpm, withInstallLock } from './install.mjs';

/**
 * @typedef {{
 *   version?: string, link?: boolean, optional?: boolean, integrity?: string,
 *   os?: string[], cpu?: string[], libc?: string[]
 * }} Entry
 * @typedef {Record<string, Entry>} Packages
 */

/**
 * Runs `npm ci` when what is installed is not what the lock file says.
 * @param {string} root
 * @param {string} node
 */
export function ensureDependencies(root, node) {
  if (isInstalled(root)) return;
  withInstallLock(root, () => {
    // Whoever held the lock before us may have done it.
    if (isInstalled(root)) return;
    console.error('Installing dependencies (only when the lock file changes).');
    // The wallet is built and tested with development packages, also where NODE_ENV says production.
    runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      purpose: 'Installing the dependencies',
      node,
    });
  });
}

/**
 * By content: on a fresh clone, or after a checkout, times of files say nothing.
 * @param {string} root
 */
export function isInstalled(root) {
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  return installed !== undefined && wanted !== undefined && isSatisfied(wanted, installed);
}

/**
 * Whether every package of the lock file is installed in its place and version. Optional ones may be missing, but not
 * those for this platform: without them bundler, compiler or database would not run.
 * @param {Packages} wanted
 * @param {Packages} installed
 */
export function isSatisfied(wanted, installed) {
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.includes('node_modules/')) return true;
    const found = installed[place];
    if (found === undefined) return entry.optional === true && !isForThisPlatform(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** @param {Entry} entry */
function isForThisPlatform({ os, cpu, libc }) {
  if (os === undefined || cpu === undefined) return false;
  if (!os.includes(process.platform) || !cpu.includes(process.arch)) return false;
  return libc === undefined || (libc.includes('glibc') && !hasMusl());
}

/** Where both C libraries are there, npm's own choice is not known: then nothing is demanded. */
function hasMusl() {
  return existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
}

/**
 * The catalogue of texts is generated code: types, tests, builds and the server import it.
 * @param {string} root
 * @param {string} node
 */
export function compileMessages(root, node) {
  const { status } = spawnSync(node, ['compile.ts'], {
    cwd: join(root, 'packages/messages'),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new BootstrapError('The texts of packages/messages do not compile.');
}

/**
 * @param {string} file
 * @returns {Packages | undefined}
 */
function readPackages(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
