import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, walletDir, walletDistDir } from './paths.ts';
import { StartError } from './start-error.ts';

const HASH_FILE = join(walletDistDir, '.source-hash');
const OUTPUT_CHARACTERS_MAX = 4_000;

const SOURCES = [
  'package-lock.json',
  'apps/wallet/{package.json,tsconfig.json,index.html,vite.config.ts}',
  'apps/wallet/{src,public}/**/*',
  'packages/*/{package.json,src/**/*}',
  'packages/messages/{messages,project.inlang}/**/*.json',
];

/** Builds the wallet if its sources changed since the last build, by content. Resolves to whether it did. */
export async function buildWallet(): Promise<boolean> {
  const hash = hashSources();
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return false;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: walletDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A production build also where the API runs in development.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new StartError(`The wallet does not build:\n${output.trim()}`);
  // Last, so that an interrupted build is repeated.
  writeFileSync(HASH_FILE, hash);
  return true;
}

/** Of everything that reaches the browser. Tests and generated code do not: the latter follows from its sources. */
function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => ['node_modules', 'gen', 'test'].includes(entry.name),
  })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}
