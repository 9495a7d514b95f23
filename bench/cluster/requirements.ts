/** The cluster test's requirements on the machine, and the versions it refuses. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** It also needs the package archive that apt is configured with, once. */
const PROGRAMS = ['mmdebstrap', 'ip', 'nsenter', 'unshare', 'setpriv', 'chroot', 'openssl'];

interface Host {
  readonly isRoot: boolean;
  readonly hasProgram: (name: string) => boolean;
  readonly hasApt: boolean;
}

export function readHost(): Host {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return {
    isRoot: process.getuid?.() === 0,
    hasProgram: (name) => folders.some((folder) => existsSync(join(folder, name))),
    hasApt: existsSync('/etc/apt'),
  };
}

/** One line that says why the test cannot run here; `undefined` if it can. */
export function whatIsMissing({ isRoot, hasProgram, hasApt }: Host): string | undefined {
  if (!isRoot) return 'it makes network namespaces and mounts, which needs root';
  if (!hasApt) return 'its machines run Debian testing, which needs Debian and apt here';
  const missing = PROGRAMS.filter((name) => !hasProgram(name));
  return missing.length === 0 ? undefined : `missing: ${missing.join(', ')} (Debian: apt install)`;
}

interface Least {
  readonly name: string;
  readonly debianPackage: string;
  readonly version: string;
  readonly reason: string;
}

/** Debian testing changes, so only versions that are too old are refused. */
export const LEAST_VERSIONS: readonly Least[] = [
  {
    name: 'Patroni',
    debianPackage: 'patroni',
    version: '4.0.7',
    // 3.0.2 with the v3 API of etcd lost 173 of 5,170 acknowledged transfers in our runs.
    reason:
      'before 3.0.3, a primary that was frozen took its lock back and lost what was acknowledged',
  },
  {
    name: 'etcd',
    debianPackage: 'etcd-server',
    version: '3.5',
    reason: 'Patroni needs its v3 API',
  },
  {
    name: 'PostgreSQL',
    debianPackage: 'postgresql-18',
    version: '18',
    reason: 'the schema needs its functions',
  },
];

/** A sentence for each package that is missing or too old. `versions` holds Debian's, such as `1:4.0.7-2`. */
export function versionFaults(versions: ReadonlyMap<string, string>): string[] {
  return LEAST_VERSIONS.flatMap(({ name, debianPackage, version, reason }) => {
    const found = versions.get(debianPackage);
    if (found === undefined) return [`${name} is missing`];
    return isAtLeast(found, version)
      ? []
      : [`${name} ${found} is too old: at least ${version}, because ${reason}`];
  });
}

function isAtLeast(found: string, least: string): boolean {
  const parts = (text: string): number[] =>
    (/^(?:\d+:)?([\d.]+)/.exec(text)?.[1] ?? '').split('.').map((part) => parseInt(part, 10) || 0);
  const [own, wanted] = [parts(found), parts(least)];
  const index = wanted.findIndex((part, at) => part !== (own[at] ?? 0));
  return index === -1 || (own[index] ?? 0) > (wanted[index] ?? 0);
}
