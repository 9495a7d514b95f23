/**
 * `npm run audit:verify`: recomputes the console's audit chain and names the first entry that was altered, removed or inserted. It reads
 * DATABASE_URL or, by default, the embedded database in DATA_DIR, whether or not the system is running. `-- --head <hash>` also requires
 * the chain to contain a hash that an earlier run printed.
 */
import { verifyAudit, type AuditReport } from '../apps/api/src/platform/audit/verify.ts';
import { reportVerification } from './report-verification.ts';

function describe({ fault, entryCount, emptiedCount, head }: AuditReport): string {
  if (fault !== undefined) return `WRONG: ${fault}.`;
  return `The audit is right: ${entryCount} entries, ${emptiedCount} of them with emptied details.\nhead ${head}`;
}

await reportVerification({ verify: verifyAudit, describe });
