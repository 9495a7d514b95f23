/** The file system of the cluster's machines: Debian testing, made once by mmdebstrap and kept outside of the repository. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LEAST_VERSIONS } from './requirements.ts';

const SUITE = 'testing';
/** python3-etcd: without it Patroni knows no etcd, not even through its v3 API. mount, iproute2: not in the smallest Debian. */
const PACKAGES = [
  ...LEAST_VERSIONS.map(({ debianPackage }) => debianPackage),
  'python3-etcd',
  'etcd-client',
  'haproxy',
  'libfaketime',
  'mount',
  'iproute2',
  'util-linux',
];
const MMDEBSTRAP = [
  '--mode=root',
  '--variant=minbase',
  // A mirror may stand still for longer than its lists are valid.
  '--aptopt=Acquire::Check-Valid-Until "false"',
  '--aptopt=APT::Install-Recommends "false"',
  '--dpkgopt=path-exclude=/usr/share/doc/*',
  '--dpkgopt=path-exclude=/usr/share/man/*',
  '--dpkgopt=path-exclude=/usr/share/locale/*',
  `--include=${PACKAGES.join()}`,
];
const BUILD_LIMIT_MS = 10 * 60_000;

/** @throws Error with the last output of a build that fails */
export function ensureRootFileSystem(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'athos-cluster');
  const name = createHash('sha256')
    .update([SUITE, ...MMDEBSTRAP].join())
    .digest('hex')
    .slice(0, 12);
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Of another list of packages, or of a build that was interrupted.
  for (const old of globSync(join(cache, '*'))) rmSync(old, { recursive: true, force: true });
  const draft = `${folder}.new`;
  execFileSync('mmdebstrap', [...MMDEBSTRAP, SUITE, draft, mirror()], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
  });
  renameSync(draft, folder);
  return folder;
}

/** The archive from which this machine takes Debian's packages. */
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
