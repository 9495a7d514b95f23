/**
 * Creates the machines' file system and starts the test (inside.ts) in its own namespaces. The kernel removes them with everything inside
 * when this process ends, even if it is killed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeGroups, runsWithGroups } from './processor-share.ts';
import { LEAST_VERSIONS, versionFaults } from './requirements.ts';
import { ensureRootFileSystem, installedVersions, type DebianSystem } from './root-file-system.ts';

/** The death of the parent ends `unshare`, which ends the first process in the namespaces, and with it all others. */
const NAMESPACES =
  '--pdeathsig KILL unshare --net --mount --pid --fork --kill-child --mount-proc'.split(' ');

/** Followed by the id of the process that created the folder. */
const FOLDER_START = join(tmpdir(), 'athos-cluster-');

/** python3-etcd: without it, Patroni supports no etcd, not even through its v3 API. mount, iproute2: missing in the smallest Debian. */
const SYSTEM: DebianSystem = {
  name: 'athos-cluster',
  // The only release with all of these programs.
  suite: 'testing',
  packages: [
    ...LEAST_VERSIONS.map(({ debianPackage }) => debianPackage),
    'python3-etcd',
    'etcd-client',
    'haproxy',
    'libfaketime',
    'mount',
    'iproute2',
    'util-linux',
  ],
};
const WATCHERS = [
  'prometheus',
  'prometheus-blackbox-exporter',
  'prometheus-node-exporter',
  'prometheus-postgres-exporter',
];

/** Only for `--watch`, and separate, because the faults need none of it. */
const WATCHED: DebianSystem = {
  ...SYSTEM,
  name: 'athos-cluster-watched',
  packages: [...SYSTEM.packages, ...WATCHERS],
};

process.exitCode = run(process.argv.slice(2));

function run(words: readonly string[]): number {
  const root = ensureRootFileSystem(words.includes('--watch') ? WATCHED : SYSTEM);
  const faults = versionFaults(installedVersions(root));
  if (faults.length > 0) {
    process.stderr.write(`test:cluster: ${faults.join('; ')}\n`);
    return 1;
  }
  removeAbandoned();
  const folder = `${FOLDER_START}${process.pid}`;
  const inside = [
    process.execPath,
    join(import.meta.dirname, 'inside.ts'),
    '--root',
    root,
    '--folder',
    folder,
  ];
  let status: number | null = null;
  try {
    // The first process of a PID namespace must reap processes whose parents were killed. A shell does.
    const shell = ['sh', '-c', '"$@"; exit $?', 'sh'];
    ({ status } = spawnSync('setpriv', [...NAMESPACES, ...shell, ...inside, ...words], {
      stdio: 'inherit',
    }));
    return status ?? 1;
  } finally {
    removeGroups(basename(folder));
    if (status === 0) rmSync(folder, { recursive: true, force: true });
    // The logs of a failed run stay until the next one.
    else process.stdout.write(`test:cluster: logs are in ${folder}\n`);
  }
}

/** Removes what a killed run left: only files and empty groups, because everything else has ended with it. */
function removeAbandoned(): void {
  for (const folder of globSync(`${FOLDER_START}*`)) {
    const isInUse = existsSync(`/proc/${folder.slice(FOLDER_START.length)}`);
    if (!isInUse) rmSync(folder, { recursive: true, force: true });
  }
  const nameStart = basename(FOLDER_START);
  for (const name of runsWithGroups(nameStart)) {
    if (!existsSync(`/proc/${name.slice(nameStart.length)}`)) removeGroups(name);
  }
}
