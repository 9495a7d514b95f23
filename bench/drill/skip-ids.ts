/**
 * `npm run ledger:skip-ids`: run after a restore to the past, before anything posts. It makes ids continue above the last anchor, so that
 * no id of a lost transfer is used again. It signs in with DATABASE_URL as a member of the ledger's owner (`athos_migrate`), and finds the
 * anchor with the worker's settings ANCHOR_S3_…, or gets it from `-- --anchor FIRST_ID`. May be repeated.
 */
import { parseArgs } from 'node:util';
import { anchors as anchorSettings } from '../../apps/api/src/config/anchors.ts';
import { secureAddress } from '../../apps/api/src/config/server.ts';
import { readGiven, type Given } from '../../apps/api/src/config/topic.ts';
import { skipLostIds } from '../../apps/api/src/ledger/index.ts';
import { openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import { openDatabase } from '../../apps/api/src/platform/database/database.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';

/** One read per minute, so a week is 10,000 reads. For a system that was down for longer, pass `--anchor`. */
const SEARCHED_MS = 7 * 24 * 60 * 60_000;

async function lastAnchoredId(given: Given): Promise<bigint> {
  const { anchor } = parseArgs({ options: { anchor: { type: 'string' } } }).values;
  if (anchor !== undefined) {
    if (!/^\d{1,18}$/.test(anchor)) throw new Error('--anchor is the first_id of an anchor');
    return BigInt(anchor);
  }
  const bucket = anchorSettings(given);
  if (bucket.faults.length > 0) throw new Error(bucket.faults.join('\n'));
  if (bucket.value === undefined)
    throw new Error('Set ANCHOR_S3_ENDPOINT and what belongs to it, or give --anchor FIRST_ID.');
  const to = new Date();
  const from = new Date(to.getTime() - SEARCHED_MS);
  const last = await openAnchorBucket(bucket.value).findLast({ from, to });
  if (last === undefined)
    throw new Error('The bucket has no anchor of the last 7 days. Give --anchor FIRST_ID.');
  process.stdout.write(`The last anchor is of ${last.at}: batch ${last.first_id}.\n`);
  return BigInt(last.first_id);
}

function addressOf({
  DATABASE_URL: databaseUrl,
  DATABASE_CA_FILE: databaseCaFile,
  DATABASE_SERVER_NAME: databaseServerName,
}: Given): string {
  if (databaseUrl === undefined) throw new Error('DATABASE_URL: is missing');
  return secureAddress({ databaseUrl, databaseCaFile, databaseServerName });
}

try {
  const { given, faults } = readGiven(process.env);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const databaseUrl = addressOf(given);
  const anchoredId = await lastAnchoredId(given);
  const database = openDatabase(databaseUrl, createLog('silent'));
  try {
    const id = await database.db.transaction().execute((tx) => skipLostIds(tx, anchoredId));
    process.stdout.write(`Ids go on from ${id}.\n`);
  } finally {
    await database.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
