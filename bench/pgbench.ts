/** TPC-B measured by pgbench, the common yardstick, which comes with the distribution's PostgreSQL. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const DEBIAN_DIR = '/usr/lib/postgresql';

/** Undefined if pgbench is not installed. */
export function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN_DIR) ? readdirSync(DEBIAN_DIR).toSorted().toReversed() : [];
  const candidates = [
    ...versions.map((version) => `${DEBIAN_DIR}/${version}/bin/pgbench`),
    'pgbench',
  ];
  return candidates.find((path) => spawnSync(path, ['--version']).status === 0);
}

function run(pgbench: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(pgbench, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pgbench failed: ${stderr}`);
  return stdout;
}

export function preparePgbench(pgbench: string, databaseUrl: string, scale: number): void {
  run(pgbench, ['--initialize', '--init-steps=dtGvp', `--scale=${scale}`, '--quiet', databaseUrl]);
}

/** Transactions per second, in pgbench's default simple protocol. */
export function runPgbench(
  pgbench: string,
  databaseUrl: string,
  { clientCount, seconds }: { clientCount: number; seconds: number },
): number {
  const output = run(pgbench, [
    '--no-vacuum',
    `--client=${clientCount}`,
    '--jobs=2',
    `--time=${seconds}`,
    databaseUrl,
  ]);
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench printed no rate: ${output}`);
  return Math.round(parseFloat(tps));
}
