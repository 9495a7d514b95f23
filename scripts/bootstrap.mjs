// Every script of package.json starts here: `node scripts/bootstrap.mjs scripts/start.ts …` or `… npx prettier …`.
// It runs on Node 18 before anything is installed, so it uses only Node's own modules and no newer syntax.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import * as module from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  compileMessages,
  ensureDependencies,
  refuseWhereServing,
} from './bootstrap/dependencies.mjs';
import { BootstrapError } from './bootstrap/install.mjs';
import { canRunScripts, ensureNode } from './bootstrap/node-runtime.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {string[]} words */
async function main(words) {
  const [first, second, ...rest] = words;
  if (first === undefined || (first === 'npx' && second === undefined)) {
    throw new BootstrapError('Usage: node scripts/bootstrap.mjs <script.ts> … or npx <tool> …');
  }
  refuseWhereServing(root);
  const node = ensureNode(root);
  // Node caches the compiled code of every program, which saves a third of the CPU time of a start. If the folder is not
  // writable, Node runs without the cache.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node-compile');
  process.env.PATH = dirname(node) + delimiter + (process.env.PATH ?? '');
  ensureDependencies(root, node);
  compileMessages(root, node);
  if (first === 'npx') {
    runChild(node, [findTool(String(second)), ...rest]);
    return;
  }
  const script = resolve(root, first);
  const scriptArguments = words.slice(1);
  if (canRunScripts()) {
    // Run the script in this process, so that signals and exit codes need no forwarding.
    module.enableCompileCache?.();
    process.argv = [process.execPath, script, ...scriptArguments];
    await import(pathToFileURL(script).href);
    return;
  }
  const followParent = pathToFileURL(join(root, 'scripts/start/follow-parent.ts')).href;
  runChild(node, ['--import', followParent, script, ...scriptArguments]);
}

/** @param {string} name */
function findTool(name) {
  const link = join(root, 'node_modules/.bin', name);
  if (!existsSync(link)) throw new BootstrapError(`There is no tool "${name}" in node_modules.`);
  return realpathSync(link);
}

/**
 * Runs a child process on this terminal, forwards signals to it, and exits with its code. The child detects through the
 * closed IPC channel that this process was killed, and then ends too.
 * @param {string} node
 * @param {string[]} args
 */
function runChild(node, args) {
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
  });
}

/** @param {unknown} error */
function fail(error) {
  console.error(error instanceof BootstrapError ? error.message : error);
  process.exit(1);
}

main(process.argv.slice(2)).catch(fail);
