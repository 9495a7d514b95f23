import { z } from 'zod';
import type { LockingBucketSettings } from '../platform/storage/picture-storage-bucket.ts';
import {
  bucketName,
  bucketRegion,
  missingOf,
  plainAddressFaults,
  topic,
  webUrl,
  wholeNumber,
} from './topic.ts';

const BUCKET_VARIABLES = [
  'ANCHOR_S3_ENDPOINT',
  'ANCHOR_S3_BUCKET',
  'ANCHOR_S3_ACCESS_KEY_ID',
  'ANCHOR_S3_SECRET_ACCESS_KEY',
];

/** The bucket of the anchors. It belongs to another account than the database, or one person could rewrite both. */
export const anchors = topic(
  {
    endpoint: ['ANCHOR_S3_ENDPOINT', webUrl.optional()],
    bucket: ['ANCHOR_S3_BUCKET', bucketName.optional()],
    accessKeyId: ['ANCHOR_S3_ACCESS_KEY_ID', z.string().optional()],
    secretAccessKey: ['ANCHOR_S3_SECRET_ACCESS_KEY', z.string().optional()],
    region: ['ANCHOR_S3_REGION', bucketRegion],
    /** Retention of the anchors, in days. The bucket must have object lock, so that nobody can change or remove an anchor meanwhile. */
    lockDays: ['ANCHOR_LOCK_DAYS', wholeNumber(1, 36_500).optional()],
  },
  {
    faults: (given) => [
      ...missingOf(given, 'the bucket of the anchors', BUCKET_VARIABLES),
      ...plainAddressFaults(given, 'ANCHOR_S3_ENDPOINT'),
    ],
    build: ({
      endpoint,
      bucket,
      accessKeyId,
      secretAccessKey,
      ...rest
    }): LockingBucketSettings | undefined =>
      endpoint === undefined ||
      bucket === undefined ||
      accessKeyId === undefined ||
      secretAccessKey === undefined
        ? undefined
        : {
            endpoint: endpoint.replace(/\/+$/, ''),
            bucket,
            accessKeyId,
            secretAccessKey,
            ...rest,
          },
  },
);
