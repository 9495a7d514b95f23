/** Builds the image with buildah, without a daemon and without pulling a base. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureRootFileSystem } from '../../bench/cluster/root-file-system.ts';

const BUILD_LIMIT_MS = 8 * 60_000;
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const NPM = 'usr/local/lib/node_modules/npm';

export const NAMESPACES = '--mount --pid --fork --kill-child'.split(' ');

export interface Image {
  /** The folder of its files. */
  readonly root: string;
  readonly user: string;
  readonly entryPoint: readonly string[];
  readonly env: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** The commit of the release in it. */
  readonly commit: string;
}

interface Inspected {
  readonly OCIv1: {
    readonly config: {
      readonly User: string;
      readonly Env: readonly string[];
      readonly Entrypoint: readonly string[];
      readonly Labels: Readonly<Record<string, string>>;
    };
  };
}

/** Creates Debian with this Node and its npm, in place of the base that would be pulled. */
function makeBase(folder: string): void {
  const system = ensureRootFileSystem({
    name: 'athos-image-base',
    suite: 'stable',
    packages: ['ca-certificates', 'libstdc++6'],
  });
  cpSync(system, folder, { recursive: true, verbatimSymlinks: true });
  cpSync(process.execPath, join(folder, 'usr/local/bin/node'));
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  const own = [join(npm, 'npm'), '/usr/lib/node_modules/npm'].find((path) => existsSync(path));
  if (own === undefined) throw new Error('npm is not where npm says');
  cpSync(own, join(folder, NPM), { recursive: true, dereference: true });
  // The registry may be reached through a proxy, so npm needs the certificate authorities that this machine trusts.
  const { NODE_EXTRA_CA_CERTS: authorities = AUTHORITIES } = process.env;
  cpSync(authorities, join(folder, AUTHORITIES), { dereference: true });
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(folder, 'usr/local/etc/npmrc'), `cafile=${AUTHORITIES}\n`);
  symlinkSync(`/${NPM}/bin/npm-cli.js`, join(folder, 'usr/local/bin/npm'));
}

/** `work` is an empty folder for everything that is written; it holds the image afterwards. */
export function buildImage(release: string, work: string): Image {
  const tools = ensureRootFileSystem({
    name: 'athos-image-tools',
    suite: 'testing',
    packages: ['buildah', 'crun', 'netavark', 'mount'],
  });
  makeBase(join(work, 'base'));
  cpSync(release, join(work, 'release'), { recursive: true });
  cpSync(join(import.meta.dirname, 'build.sh'), join(work, 'build.sh'));
  mkdirSync(join(work, 'store'), { recursive: true });
  const { commit, version } = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8')) as {
    commit: string;
    version: string;
  };
  const within = join(import.meta.dirname, 'within.sh');
  const command = ['sh', within, tools, work, 'sh', '/build/build.sh', commit, version];
  const output = execFileSync('unshare', [...NAMESPACES, ...command], {
    encoding: 'utf8',
    timeout: BUILD_LIMIT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const mounted = output.trim().split('\n').at(-1) ?? '';
  const inspected = JSON.parse(readFileSync(join(work, 'image.json'), 'utf8')) as Inspected;
  const { User: user, Env: env, Entrypoint: entryPoint, Labels: labels } = inspected.OCIv1.config;
  const root = join(work, mounted.replace(/^\/build/, ''));
  return { root, user, env, entryPoint, labels, commit };
}
