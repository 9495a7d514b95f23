/**
 * `npm run audit:verify`: recomputes the audit of the console and names the first entry that was altered, removed or put in. It
 * reads DATABASE_URL or, by default, the embedded database in DATA_DIR, whether or not the system is running. `-- --head <hash>`
 * also requires the chain to contain a hash that an earlier run printed.
 */
import { parseArgs } from 'node:util';
import { verifyAudit, type AuditReport } from '../apps/api/src/platform/audit/verify.ts';
import { attachDatabase } from './start/attach-database.ts';

const { values: flags } = parseArgs({ options: { head: { type: 'string' } } });

function describe({ fault, entryCount, emptiedCount, head }: AuditReport): string {
  if (fault !== undefined) return `WRONG: ${fault}.`;
  return `The audit is right: ${entryCount} entries, ${emptiedCount} of them with emptied details.\nhead ${head}`;
}

async function main(): Promise<void> {
  const database = await attachDatabase();
  try {
    const report = await verifyAudit({ databaseUrl: database.url, knownHead: flags.head });
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
