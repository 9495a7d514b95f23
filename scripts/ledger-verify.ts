/**
 * `npm run ledger:verify`: recomputes the whole ledger and names the first wrong row. It reads DATABASE_URL or, by default, the
 * embedded database in DATA_DIR, whether or not the system is running. `-- --head <hash>` also requires the chain to contain
 * a hash that an earlier run printed.
 */
import { parseArgs } from 'node:util';
import { verifyLedger, type LedgerReport } from '../apps/api/src/ledger/verify.ts';
import { attachDatabase } from './start/attach-database.ts';

const { values: flags } = parseArgs({ options: { head: { type: 'string' } } });

function describe({ fault, accountCount, transferCount, batchCount, head }: LedgerReport): string {
  if (fault !== undefined) return `WRONG: ${fault.row} ${fault.reason}.`;
  return `The ledger is right: ${accountCount} accounts, ${transferCount} transfers in ${batchCount} batches.\nhead ${head}`;
}

async function main(): Promise<void> {
  const database = await attachDatabase();
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
