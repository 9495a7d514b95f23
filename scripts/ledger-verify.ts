/**
 * `npm run ledger:verify`: recomputes the ledger and names the first wrong row. It reads DATABASE_URL or, by default, the embedded database
 * in DATA_DIR, whether or not the system is running. It begins with the newest checkpoint signed by a key of SIGNING_KEYS; `--
 * --from-start` begins with the first row. `-- --head <hash>` also begins there, and requires the chain to contain a hash that an earlier
 * run printed. `-- --seals` recomputes the seals and the heads of all days instead, with the keys of RECEIPT_KEY; `--head` is then the hash
 * of a day.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readGiven } from '../apps/api/src/config/topic.ts';
import { verifyLedger, type LedgerReport } from '../apps/api/src/ledger/verify.ts';
import { createSigningKeys, type SigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import { openDatabase } from '../apps/api/src/platform/database/database.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { verifySeals, type SealReport } from '../apps/api/src/modules/receipts/index.ts';
import { reportVerification } from './report-verification.ts';
import type { Keys } from './start/keys.ts';
import { dataPaths } from './start/paths.ts';

function readKeys(name: 'SIGNING_KEYS' | 'RECEIPT_KEY'): readonly Buffer[] | undefined {
  const { given } = readGiven(process.env);
  const { keys: file } = dataPaths(resolve(given['DATA_DIR'] ?? 'data'));
  const isEmbedded = given['DATABASE_URL'] === undefined && existsSync(file);
  const text = isEmbedded
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Keys>)[name]
    : given[name];
  return text?.split(',').map((key) => Buffer.from(key.trim(), 'base64url'));
}

/** `undefined` on a machine without keys, such as an auditor's, where no checkpoint can be trusted. */
function readSigningKeys(): SigningKeys | undefined {
  const seeds = readKeys('SIGNING_KEYS');
  return seeds && createSigningKeys(seeds);
}

function describe(report: LedgerReport): string {
  const { fault, accountCount, transferCount, batchCount, rowCount, head, checkpoint } = report;
  const begun =
    checkpoint === undefined
      ? 'Verified from the first row on.'
      : `Verified from checkpoint ${checkpoint.transferId} of ${checkpoint.madeAt.toISOString()} on: ${rowCount} transfers.`;
  if (fault !== undefined) return `WRONG: ${fault.row} ${fault.reason}.\n${begun}`;
  return `The ledger is right: ${accountCount} accounts, ${transferCount} transfers in ${batchCount} batches.\n${begun}\nhead ${head}`;
}

async function verifyAllSeals(
  databaseUrl: string,
  knownHead: string | undefined,
): Promise<SealReport> {
  const receiptKeys = readKeys('RECEIPT_KEY');
  if (receiptKeys === undefined) throw new Error('RECEIPT_KEY is needed to make the seals anew');
  const database = openDatabase(databaseUrl, createLog('silent'));
  try {
    const keys = readSigningKeys() ?? { jwks: [] };
    return await verifySeals({ db: database.db, receiptKeys, keys, knownHead });
  } finally {
    await database.close();
  }
}

function describeSeals({ fault, foreignCount, head, ...counts }: SealReport): string {
  if (fault !== undefined) return `WRONG: ${fault}.`;
  const { sealCount, transferCount, dayCount } = counts;
  const foreign =
    foreignCount === 0
      ? ''
      : `\nNOTE: ${foreignCount} of them were signed by a key that SIGNING_KEYS does not hold. Compare the head with one that was kept elsewhere.`;
  return `The seals are right: ${transferCount} transfers in ${sealCount} seals and ${dayCount} days.${foreign}\nhead ${head}`;
}

await reportVerification<LedgerReport | SealReport>({
  verify: ({ databaseUrl, knownHead, isFromStart, isOfSeals }) =>
    isOfSeals
      ? verifyAllSeals(databaseUrl, knownHead)
      : verifyLedger({ databaseUrl, knownHead, keys: isFromStart ? undefined : readSigningKeys() }),
  describe: (report) => ('sealCount' in report ? describeSeals(report) : describe(report)),
});
