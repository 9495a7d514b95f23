/** Shared by `npm run ledger:verify` and `npm run audit:verify`: the database, the known head, and the exit code. */
import { parseArgs } from 'node:util';
import { attachDatabase } from './start/attach-database.ts';

interface Verification<Report> {
  readonly verify: (options: {
    readonly databaseUrl: string;
    readonly knownHead: string | undefined;
    readonly isFromStart: boolean;
    /** Whether to verify the seals instead. */
    readonly isOfSeals: boolean;
  }) => Promise<Report>;
  readonly describe: (report: Report) => string;
}

/** Prints the result. Exits with 1 if a fault was found, and with 2 if the database cannot be read. */
export async function reportVerification<Report extends { readonly fault?: unknown }>({
  verify,
  describe,
}: Verification<Report>): Promise<void> {
  try {
    const { values: flags } = parseArgs({
      options: {
        head: { type: 'string' },
        'from-start': { type: 'boolean', default: false },
        seals: { type: 'boolean', default: false },
      },
    });
    const database = await attachDatabase();
    try {
      const report = await verify({
        databaseUrl: database.url,
        knownHead: flags.head,
        isFromStart: flags['from-start'],
        isOfSeals: flags.seals,
      });
      process.stdout.write(`${describe(report)}\n`);
      process.exitCode = report.fault === undefined ? 0 : 1;
    } finally {
      await database.release();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
