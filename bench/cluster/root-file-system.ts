/** A Debian file system with chosen packages, made once by mmdebstrap and kept outside the repository. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface DebianSystem {
  /** The name of its folder in the cache. */
  readonly name: string;
  readonly suite: 'testing' | 'stable';
  readonly packages: readonly string[];
}

const OPTIONS = [
  '--mode=root',
  '--variant=minbase',
  // A mirror may not be updated for longer than its lists are valid.
  '--aptopt=Acquire::Check-Valid-Until "false"',
  '--aptopt=APT::Install-Recommends "false"',
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
];
const BUILD_LIMIT_MS = 10 * 60_000;

/** @throws Error with the last output of a failed build */
export function ensureRootFileSystem({ name, suite, packages }: DebianSystem): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), name);
  const words = [...OPTIONS, `--include=${packages.join()}`];
  const hash = createHash('sha256')
    .update([suite, ...words].join())
    .digest('hex')
    .slice(0, 12);
  const folder = join(cache, hash);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Left by another list of packages, or by an interrupted build.
  for (const old of globSync(join(cache, '*'))) rmSync(old, { recursive: true, force: true });
  const draft = `${folder}.new`;
  execFileSync('mmdebstrap', [...words, suite, draft, mirror()], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
  });
  renameSync(draft, folder);
  return folder;
}

/** The archive from which this machine gets Debian's packages. */
function mirror(): string {
  const files = globSync([
    '/etc/apt/sources.list.d/*.sources',
    '/etc/apt/sources.list.d/*.list',
    '/etc/apt/sources.list',
  ]);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('debian-archive-keyring') && !text.includes(' main')) continue;
    const found = /^URIs:\s*(\S+\/debian\/?)\s*$|^deb\s+(?:\[[^\]]*\]\s*)?(\S+\/debian\/?)\s/m.exec(
      text,
    );
    const address = found?.[1] ?? found?.[2];
    if (address !== undefined) return address;
  }
  throw new Error('apt is not configured with an archive of Debian');
}

/** The versions of the installed packages, by name. */
export function installedVersions(root: string): ReadonlyMap<string, string> {
  const status = readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8');
  return new Map(
    status.split('\n\n').flatMap((entry) => {
      const name = /^Package: (.*)$/m.exec(entry)?.[1];
      const version = /^Version: (.*)$/m.exec(entry)?.[1];
      return name === undefined || version === undefined ? [] : [[name, version] as const];
    }),
  );
}
