/**
 * The anchors in their bucket: the head of the ledger, minute by minute, stored outside the database. Each minute has one object named
 * after it, so that the last one before a time is found without listing.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  createBucketStorage,
  type LockingBucketSettings,
} from '../../platform/storage/picture-storage-bucket.ts';

const shape = z.object({
  /** The first id of the newest batch; 0 in an empty ledger. */
  first_id: z.string().regex(/^\d{1,19}$/),
  /** The number of its transfers, whose ids begin at `first_id`. */
  count: z.int().nonnegative(),
  /** The hash that covers the batch and all earlier ones, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The time at which the head was read, by the database's clock. */
  at: z.iso.datetime(),
});
export type Anchor = z.infer<typeof shape>;

export interface AnchorBucket {
  /** Does not replace an anchor that the minute already has. */
  put(anchor: Anchor): Promise<void>;
  /** The last anchor at or before `to`; `undefined` if there is none since `from`. */
  findLast(range: { readonly from: Date; readonly to: Date }): Promise<Anchor | undefined>;
}

const ANSWER_WITHIN_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A name such as `heads/2026-11-23/02-07.json`. */
function nameOf(at: Date): string {
  const text = at.toISOString();
  return `heads/${text.slice(0, 10)}/${text.slice(11, 16).replace(':', '-')}.json`;
}

/** Buckets accept a locked object only with a checksum of its content. */
const lockHeaders = (bytes: Buffer, until: Date): Record<string, string> => ({
  'x-amz-object-lock-mode': 'COMPLIANCE',
  'x-amz-object-lock-retain-until-date': until.toISOString(),
  'content-md5': createHash('md5').update(bytes).digest('base64'),
});

export function openAnchorBucket({ lockDays, ...settings }: LockingBucketSettings): AnchorBucket {
  const storage = createBucketStorage(settings);
  return {
    async put(anchor) {
      const bytes = Buffer.from(JSON.stringify(anchor));
      const at = new Date(anchor.at);
      const until = new Date(at.getTime() + (lockDays ?? 0) * DAY_MS);
      await storage.putNew(nameOf(at), bytes, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: lockDays === undefined ? {} : lockHeaders(bytes, until),
      });
    },

    async findLast({ from, to }) {
      for (let ms = to.getTime(); ms > from.getTime() - MINUTE_MS; ms -= MINUTE_MS) {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const bytes = await storage.get(nameOf(new Date(ms)), signal);
        if (bytes === undefined) continue;
        const anchor = shape.parse(JSON.parse(bytes.toString()));
        // The anchor of the same minute may be a few seconds later than `to`.
        if (new Date(anchor.at) <= to) return anchor;
      }
      return undefined;
    },
  };
}
