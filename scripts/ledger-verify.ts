/**
 * `npm run ledger:verify`: recomputes the whole ledger and names the first wrong row. It reads DATABASE_URL or, by default, the
 * embedded database in DATA_DIR, whether or not the system is running. `-- --head <hash>` also requires the chain to contain
 * a hash that an earlier run printed.
 */
import { verifyLedger, type LedgerReport } from '../apps/api/src/ledger/verify.ts';
import { reportVerification } from './report-verification.ts';

function describe({ fault, accountCount, transferCount, batchCount, head }: LedgerReport): string {
  if (fault !== undefined) return `WRONG: ${fault.row} ${fault.reason}.`;
  return `The ledger is right: ${accountCount} accounts, ${transferCount} transfers in ${batchCount} batches.\nhead ${head}`;
}

await reportVerification({ verify: verifyLedger, describe });
