import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { acquireProcessLock, LockedError, type ProcessLock } from '@athos/postgres/process-lock';
import { apps, root, type AppName } from './paths.ts';
import { StartError } from './start-error.ts';

const LOCK_FILE = join(root, 'node_modules/.cache/app-build.pid');
const LOCK_WAIT_MS = 120_000;
const LOCK_POLL_MS = 100;
const OUTPUT_CHARACTERS_MAX = 4_000;

const SHARED_SOURCES = [
  'package-lock.json',
  'packages/*/{package.json,src/**/*}',
  'packages/brand/icons/*',
  'packages/messages/{messages,project.inlang}/**/*.json',
];

const sourcesOf = (name: AppName): readonly string[] => [
  ...SHARED_SOURCES,
  `apps/${name}/*.{json,html,ts}`,
  `apps/${name}/{build,src,public,worker}/**/*`,
];

const BUNDLE = [join(root, 'node_modules/vite/bin/vite.js'), 'build'];
/** The build step that checks size budgets and compresses the files that browsers load. */
const FINISH = ['finish-build.ts'];
const STEPS: Readonly<Record<AppName, readonly (readonly string[])[]>> = {
  wallet: [BUNDLE, FINISH],
  scanner: [BUNDLE, FINISH],
  console: [BUNDLE, FINISH],
  api: [BUNDLE],
};

/** The apps that development builds too; its API runs from source. */
export const BROWSER_APPS: readonly AppName[] = ['wallet', 'scanner', 'console'];
export const ALL_APPS = Object.keys(apps) as readonly AppName[];

export interface AppBuild {
  readonly name: AppName;
  /** The build's output about sizes; undefined if it was up to date. */
  readonly output: string | undefined;
}

/**
 * Builds each app whose sources have changed since its last build, judged by content. Builds run one at a time,
 * because one build keeps two cores busy.
 * @throws StartError with the end of the build's output
 */
export async function buildApps(names: readonly AppName[]): Promise<AppBuild[]> {
  const builds: AppBuild[] = [];
  for (const name of names) {
    builds.push({ name, output: await buildApp(name) });
  }
  return builds;
}

async function buildApp(name: AppName): Promise<string | undefined> {
  if (isBuilt(name, hashSources(name))) return undefined;
  // Two starts of one checkout must not empty the output folder during each other's build.
  const lock = await waitForBuildLock();
  try {
    const hash = hashSources(name);
    if (isBuilt(name, hash)) return undefined;
    let output = '';
    for (const words of STEPS[name]) output = await runStep(name, words);
    // Written last, so that an interrupted build is repeated.
    writeFileSync(hashFile(name), hash);
    return output;
  } finally {
    lock.release();
  }
}

const hashFile = (name: AppName): string => join(apps[name].distDir, '.source-hash');

function isBuilt(name: AppName, hash: string): boolean {
  const file = hashFile(name);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

async function waitForBuildLock(): Promise<ProcessLock> {
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    try {
      mkdirSync(dirname(LOCK_FILE), { recursive: true });
      return acquireProcessLock(LOCK_FILE);
    } catch (error) {
      if (!(error instanceof LockedError)) {
        throw new StartError(
          `The apps must be built, but ${root} cannot be written to: run npm run build as its owner.`,
        );
      }
      if (waitedMs > LOCK_WAIT_MS) throw new StartError(`${error.message}: it builds the apps.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

async function runStep(name: AppName, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...words], {
    cwd: apps[name].dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Browsers get a production build even if the API runs in development.
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new StartError(`The ${name} does not build:\n${output.trim()}`);
  return output.trim();
}

/** Hashes every input of a build. Tests are not an input, and generated code is determined by its own sources. */
function hashSources(name: AppName): string {
  const hash = createHash('sha256');
  const files = globSync(sourcesOf(name), {
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
