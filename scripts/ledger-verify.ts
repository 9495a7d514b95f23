/**
 * `npm run ledger:verify`: recomputes the ledger and names the first wrong row. It reads DATABASE_URL or, by default, the
 * embedded database in DATA_DIR, whether or not the system is running. It begins with the newest checkpoint that a key of SIGNING_KEYS
 * signed; `-- --from-start` begins with the first row. `-- --head <hash>` does too, and requires the chain to contain a hash that an
 * earlier run printed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readGiven } from '../apps/api/src/config/topic.ts';
import { verifyLedger, type LedgerReport } from '../apps/api/src/ledger/verify.ts';
import { createSigningKeys, type SigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import { reportVerification } from './report-verification.ts';
import type { Keys } from './start/keys.ts';
import { dataPaths } from './start/paths.ts';

/** `undefined` on a machine without keys, such as an auditor's, where no checkpoint can be trusted. */
function readSigningKeys(): SigningKeys | undefined {
  const { given } = readGiven(process.env);
  const { keys: file } = dataPaths(resolve(given['DATA_DIR'] ?? 'data'));
  const isEmbedded = given['DATABASE_URL'] === undefined && existsSync(file);
  const text = isEmbedded
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Keys>).SIGNING_KEYS
    : given['SIGNING_KEYS'];
  if (text === undefined) return undefined;
  return createSigningKeys(text.split(',').map((seed) => Buffer.from(seed.trim(), 'base64url')));
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

await reportVerification({
  verify: ({ databaseUrl, knownHead, isFromStart }) =>
    verifyLedger({ databaseUrl, knownHead, keys: isFromStart ? undefined : readSigningKeys() }),
  describe,
});
