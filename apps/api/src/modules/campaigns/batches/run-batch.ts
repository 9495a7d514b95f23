/**
 * The job that makes a batch. Codes exist in plain text only here: they are drawn into a sealed file, and their hashes are stored
 * together with the file's key. A worker that dies before that leaves a file that nobody can read, and no codes.
 */
import { randomFillSync, randomUUID } from 'node:crypto';
import { drawRewardCode, type RewardCode } from '@athos/domain/reward-code';
import { BATCH_FILE_HOURS } from '@athos/contract/console/batches';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import type { PrivateFiles } from '../../../platform/files/private-files.ts';
import {
  drawFileKey,
  readSealed,
  writeSealed,
  type Write,
} from '../../../platform/files/sealed-file.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Cell, SealedColumns } from '../../../platform/sealed.ts';
import { hashCode } from '../open-campaign.ts';
import { deleteEndedSheets } from './sheets.sql.ts';
import {
  endFiles,
  insertCodesOfBatch,
  selectFilesKept,
  updateCodesDone,
  updateFailed,
  updateMaking,
  updateReady,
  type BatchRow,
} from './batches.sql.ts';

export interface BatchFileDeps {
  readonly batchFiles: PrivateFiles;
  readonly sealed: SealedColumns;
}

export interface RunBatchDeps extends BatchFileDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: { readonly hashingKeys: readonly string[] };
}

const HOUR_MS = 60 * 60_000;
const CODE_LENGTH = 16;
/** A statement with this many codes takes some 100 ms, far from the limit of a statement. */
const CODES_AT_ONCE = 2_000;

const keyCell = (id: string): Cell => ({ table: 'reward_batches', column: 'file_key', rowId: id });

const drawCode = (): RewardCode => drawRewardCode((bytes) => randomFillSync(bytes));

async function writeCodes(count: number, write: Write): Promise<void> {
  for (let done = 0; done < count; done += CODES_AT_ONCE) {
    const codes = Array.from({ length: Math.min(CODES_AT_ONCE, count - done) }, drawCode);
    await write(Buffer.from(codes.join('')));
  }
}

/** Reads the codes in a sealed file, in chunks. */
async function* codesIn(file: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<RewardCode[]> {
  let text = '';
  for await (const bytes of readSealed(key, file)) {
    text += bytes.toString('latin1');
    while (text.length >= CODE_LENGTH) {
      const part = text.slice(0, CODES_AT_ONCE * CODE_LENGTH);
      const count = Math.floor(part.length / CODE_LENGTH);
      text = text.slice(count * CODE_LENGTH);
      yield Array.from(
        { length: count },
        (_, index) => part.slice(index * CODE_LENGTH, (index + 1) * CODE_LENGTH) as RewardCode,
      );
    }
  }
}

interface CodesFile {
  readonly name: string;
  readonly key: Buffer;
}

/** The file is open once this has returned, so it may be deleted while its codes are read. */
async function readCodes(
  { batchFiles }: Pick<BatchFileDeps, 'batchFiles'>,
  { name, key }: CodesFile,
): Promise<AsyncGenerator<RewardCode[]>> {
  const file = await batchFiles.read(name);
  invariant(file !== undefined, 'the file of a batch is where its key says');
  return codesIn(file, key);
}

/** The key of a batch whose file still exists, and of its sheets. */
export function fileKeyOf(
  { sealed }: Pick<BatchFileDeps, 'sealed'>,
  { id, file_key: key }: BatchRow,
): Buffer {
  invariant(key !== null, 'a file has its key');
  return Buffer.from(sealed.open(keyCell(id), key), 'base64url');
}

/** The codes of a batch whose file still exists. */
export function openCodes(
  deps: BatchFileDeps,
  batch: BatchRow,
): Promise<AsyncGenerator<RewardCode[]>> {
  invariant(batch.file_name !== null, 'a file has its name');
  return readCodes(deps, { name: batch.file_name, key: fileKeyOf(deps, batch) });
}

/** Stores the hashes of all codes in the file together with its key: both or neither. */
async function storeCodes(deps: RunBatchDeps, batch: BatchRow, file: CodesFile): Promise<void> {
  const { db, clock, sealed, config } = deps;
  const at = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    let doneCount = 0;
    for await (const codes of await readCodes(deps, file)) {
      const hashes = codes.map((code) => hashCode(code, config.hashingKeys));
      await insertCodesOfBatch(tx, batch, hashes);
      doneCount += codes.length;
      await updateCodesDone(db, batch.id, doneCount);
    }
    invariant(doneCount === batch.code_count, 'the file has as many codes as the batch');
    const isReady = await updateReady(tx, batch, {
      name: file.name,
      sealedKey: sealed.seal(keyCell(batch.id), file.key.toString('base64url')),
      at,
      expiresAt: new Date(at.getTime() + BATCH_FILE_HOURS * HOUR_MS),
    });
    if (!isReady) throw new VoidedMeanwhile();
  });
}

/** Rolls back the codes of a batch that was voided, or completed by another run, while this run made it. */
class VoidedMeanwhile extends Error {}

/** Makes the batch from the first code, also after a worker died. A failure is final: the batch must be requested again. */
export async function runBatch(deps: RunBatchDeps, id: string): Promise<void> {
  const { db, log, batchFiles } = deps;
  const batch = await updateMaking(db, id);
  if (batch === undefined) return;
  // The name is unique, so that a run that was given up can never overwrite the file of the run that replaced it.
  const file = { name: `${id}.${randomUUID()}`, key: drawFileKey() };
  try {
    await batchFiles.write(file.name, (write) =>
      writeSealed(file.key, write, (sealed) => writeCodes(batch.code_count, sealed)),
    );
    await storeCodes(deps, batch, file);
  } catch (error) {
    await batchFiles.remove(file.name);
    if (error instanceof VoidedMeanwhile) return;
    log.error({ alarm: 'batch_failed', batchId: id, err: error }, 'a batch of codes failed');
    await updateFailed(db, id);
  }
}

/** Ends files whose time or downloads are used up, and deletes files to which no row refers, such as those of a run that was cut off. */
export async function deleteEndedBatchFiles({
  db,
  clock,
  batchFiles,
}: RunBatchDeps): Promise<void> {
  await endFiles(db, dateOf(clock));
  await deleteEndedSheets(db);
  const names = await batchFiles.names();
  const kept = await selectFilesKept(db);
  for (const name of names) {
    const isKept = kept.names.has(name) || kept.making.some((id) => name.startsWith(id));
    if (!isKept) await batchFiles.remove(name);
  }
}
