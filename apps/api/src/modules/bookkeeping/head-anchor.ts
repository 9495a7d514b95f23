/**
 * Writes the ledger's head to a separate bucket every minute (decision 0051). Somebody who controls the database can rewrite the journal
 * with a valid chain, but cannot rewrite the anchors.
 */
import { selectNewestBatch } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { commitEarly } from '../../platform/database/early-commit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { startRounds, type Rounds } from '../../platform/rounds.ts';
import type { LockingBucketSettings } from '../../platform/storage/picture-storage-bucket.ts';
import { openAnchorBucket, type AnchorBucket } from './anchor-bucket.ts';

const ANCHOR_EVERY_MS = 60_000;
/** A failed anchor is not retried later, because the next one covers it. So nothing piles up while the bucket is unavailable. */
const TRY_AGAIN_AFTER_MS = 10_000;

interface AnchorDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'headAnchorAge'>;
  readonly config: { readonly anchorBucket: LockingBucketSettings | undefined };
}

export async function anchorHead(db: Db, bucket: AnchorBucket): Promise<void> {
  // The head may not be replicated yet. If a failover reverted it after it was anchored, the journal would look forged.
  const { firstId, transferCount, hash, readAt } = await db.transaction().execute(async (tx) => {
    await commitEarly(tx);
    return selectNewestBatch(tx);
  });
  await bucket.put({
    first_id: firstId.toString(),
    count: transferCount,
    hash,
    at: readAt.toISOString(),
  });
}

/**
 * Writes an anchor at once and then every minute until stopped. It is not a job, so that a stalled queue does not stop it. Every worker
 * runs it, and the bucket keeps the first anchor of a minute.
 */
export function startHeadAnchor({ db, clock, log, metrics, config }: AnchorDeps): Rounds {
  if (config.anchorBucket === undefined) {
    log.warn("the ledger's head is anchored nowhere: ANCHOR_S3_ENDPOINT is not set");
    return { stop: () => Promise.resolve() };
  }
  const bucket = openAnchorBucket(config.anchorBucket);
  let anchoredAtMs = clock.nowMs();
  metrics.headAnchorAge.add({}, () => (clock.nowMs() - anchoredAtMs) / 1_000);
  return startRounds(async () => {
    try {
      await anchorHead(db, bucket);
      anchoredAtMs = clock.nowMs();
      return ANCHOR_EVERY_MS;
    } catch (error) {
      log.warn({ err: error }, "the ledger's head could not be anchored");
      return TRY_AGAIN_AFTER_MS;
    }
  });
}
