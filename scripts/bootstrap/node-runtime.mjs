import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError, runNpm, withInstallLock } from './install.mjs';

const NODE_MAJOR_MIN = 24;

/** @param {string} version such as `20.11.1` or `v20.11.1` */
export function isNodeRecent(version) {
  return Number(version.replace(/^v/, '').split('.')[0]) >= NODE_MAJOR_MIN;
}

/** Whether this Node runs the scripts. Debian's is recent enough, but was built without TypeScript support. */
export function canRunScripts() {
  return isNodeRecent(process.versions.node) && Boolean(process.features.typescript);
}

/**
 * Returns the path of a Node that can run this repository: the current one, or one downloaded from the npm registry into
 * `.node/`. Later starts find it there and need no network.
 * @param {string} root
 */
export function ensureNode(root) {
  if (canRunScripts()) return process.execPath;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = join(root, '.node/node_modules/node/bin', program);
  if (!runs(node)) withInstallLock(root, () => installNode(root, node));
  if (!runs(node)) {
    throw new BootstrapError(
      `Node ${NODE_MAJOR_MIN} could not be prepared for this machine: install Node ${NODE_MAJOR_MIN} or newer, then start again.`,
    );
  }
  return node;
}

/**
 * @param {string} root
 * @param {string} node
 */
function installNode(root, node) {
  // The previous lock holder may have installed it already.
  if (runs(node)) return;
  console.error(
    `Node ${process.versions.node} is too old or reads no TypeScript: fetching Node ${NODE_MAJOR_MIN} into .node/ (once).`,
  );
  const target = join(root, '.node/node_modules');
  const draft = join(root, '.node/draft');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // npm 12 runs only the install scripts allowed here, and this package downloads its binary in one.
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
  runNpm(
    [
      'install',
      `node@${NODE_MAJOR_MIN}`,
      '--ignore-scripts=false',
      '--prefix=.',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: draft, purpose: `Fetching Node ${NODE_MAJOR_MIN}`, node: process.execPath },
  );
  rmSync(target, { recursive: true, force: true });
  renameSync(join(draft, 'node_modules'), target);
  rmSync(draft, { recursive: true, force: true });
}

/** Also false for a binary of another platform, because machines may share a checkout. @param {string} node */
function runs(node) {
  if (!existsSync(node)) return false;
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && isNodeRecent(stdout);
}
