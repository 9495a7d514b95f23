/**
 * `npm run ledger:verify`: recomputes the whole ledger and names the first wrong row. It reads DATABASE_URL or, by default, the
 * embedded database in DATA_DIR, whether or not the system is running. `-- --head <hash>` also requires the chain to contain
 * a hash that an earlier run printed.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { attachPostgres, type AttachedPostgres } from '@athos/postgres/attach';
import { verifyLedger, type LedgerReport } from '../apps/api/src/ledger/verify.ts';
import { dataPaths } from './start/paths.ts';

const { values: flags } = parseArgs({ options: { head: { type: 'string' } } });

async function attach(): Promise<AttachedPostgres> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, release: () => Promise.resolve() };
  const dataDir = resolve(process.env['DATA_DIR'] ?? 'data');
  const { postgres } = dataPaths(dataDir);
  if (!existsSync(postgres)) {
    throw new Error(
      `There is no database in ${dataDir}: start the system once, or set DATABASE_URL.`,
    );
  }
  return attachPostgres(postgres);
}

function describe({ fault, accountCount, transferCount, batchCount, head }: LedgerReport): string {
  if (fault !== undefined) return `WRONG: ${fault.row} ${fault.reason}.`;
  return `The ledger is right: ${accountCount} accounts, ${transferCount} transfers in ${batchCount} batches.\nhead ${head}`;
}

async function main(): Promise<void> {
  const database = await attach();
  try {
    const report = await verifyLedger({ databaseUrl: database.url, knownHead: flags.head });
    process.stdout.write(`${describe(report)}\n`);
    process.exitCode = report.fault === undefined ? 0 : 1;
  } finally {
    await database.release();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
