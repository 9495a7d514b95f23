import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK_POLL_MS = 200;

/** An error whose message is one sentence for the person who ran the command. */
export class BootstrapError extends Error {}

/**
 * Runs npm with the given Node. Dependencies must be installed by the Node that will load them, because npm silently
 * skips optional packages, such as the bundler's binary, that need a newer Node than its own.
 * @param {string[]} args
 * @param {{ cwd: string, purpose: string, node: string }} options
 */
export function runNpm(args, { cwd, purpose, node }) {
  const cli = process.env.npm_execpath ?? '';
  const isNpm = /npm-cli\.c?js$/.test(cli);
  // Outside npm, run `npm` itself: it takes its Node from PATH, where the given one comes first.
  const command = isNpm ? node : 'npm';
  const { status, error } = spawnSync(command, [...(isNpm ? [cli] : []), ...args], {
    cwd,
    env: withoutOuterRun(process.env),
    shell: !isNpm && process.platform === 'win32',
    // npm's output goes to stderr, so that the script's own stdout stays clean.
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  const reason = error ? error.message : `npm ended with code ${status}`;
  throw new BootstrapError(
    `${purpose} failed (${reason}). Is there a network, and room on the disk?`,
  );
}

/**
 * Serialises installation between processes: someone may run `npm start` and `npm test` at once in a fresh clone.
 * @param {string} root
 * @param {() => void} install
 */
export function withInstallLock(root, install) {
  const dir = join(root, '.node');
  const lock = join(dir, 'install.lock');
  makeWritableDir(dir);
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (!isHolderAlive(lock)) rmSync(lock, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  try {
    install();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} dir */
function makeWritableDir(dir) {
  try {
    mkdirSync(dir, { recursive: true });
    const probe = join(dir, `probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new BootstrapError(
      `Something must be installed, but ${dir} cannot be written to (${code}): run this once as the owner of the checkout.`,
    );
  }
}

/** @param {string} lock */
function isHolderAlive(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // An empty file, left by a holder that was killed, reads as 0. kill(0, 0) would signal this process's own group
    // instead.
    if (pid === 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * The environment without the variables that an outer npm sets for its script; they would change what the inner npm does.
 * @param {NodeJS.ProcessEnv} env
 */
function withoutOuterRun(env) {
  const isOuter = /^npm_(package_|lifecycle_|command$|config_local_prefix$|config_workspace)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOuter.test(name)));
}
