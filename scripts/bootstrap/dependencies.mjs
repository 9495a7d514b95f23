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
 * Runs `npm ci` when the installed packages differ from the lock file.
 * @param {string} root
 * @param {string} node
 */
export function ensureDependencies(root, node) {
  if (isInstalled(root)) return;
  withInstallLock(root, () => {
    // The previous lock holder may have installed them already.
    if (isInstalled(root)) return;
    console.error('Installing dependencies (only when the lock file changes).');
    // Builds and tests need the development packages even if NODE_ENV is production.
    runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      purpose: 'Installing the dependencies',
      node,
    });
  });
}

/**
 * Commands also install the packages for builds and tests. In a release that is serving, that would remove packages of running processes
 * (docs/operating.md, "Installing").
 * @param {string} root
 */
export function refuseWhereServing(root) {
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (installed === undefined || !existsSync(join(root, 'release.json')) || isInstalled(root))
    return;
  throw new BootstrapError(
    'This release was installed to serve, and running processes need its packages as they are. Unpack it once more elsewhere, and run the command there.',
  );
}

/**
 * Compares by content, because file times mean nothing after a fresh clone or a checkout.
 * @param {string} root
 */
export function isInstalled(root) {
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  return installed !== undefined && wanted !== undefined && isSatisfied(wanted, installed);
}

/**
 * Whether every package of the lock file is installed at its path in its version. Optional packages of other
 * platforms may be missing; those of this platform contain the bundler, the compiler and the database.
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

/** With both C libraries installed, npm's choice is unknown: musl then wins, so that no glibc package is required. */
function hasMusl() {
  return existsSync('/lib') && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
}

/**
 * Compiles the message catalogue into the code that the type check, tests, builds and the server import.
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
