import { z } from 'zod';
import type { PictureStorageSettings } from '../platform/storage/picture-storage.ts';
import {
  bucketName,
  bucketRegion,
  isProduction,
  missingOf,
  plainAddressFaults,
  topic,
  webUrl,
  type Given,
} from './topic.ts';

const BUCKET_VARIABLES = [
  'MEDIA_S3_ENDPOINT',
  'MEDIA_S3_BUCKET',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
];

/** In the default folder, pictures would be lost with the machine, and other machines would not have them. */
const folderFaults = (given: Given): string[] =>
  isProduction(given) &&
  ['MEDIA_DIR', ...BUCKET_VARIABLES].every((variable) => given[variable] === undefined)
    ? [
        'MEDIA_DIR: is missing; name a folder that is kept and backed up, or the settings of a bucket',
      ]
    : [];

export const pictures = topic(
  {
    /** The folder of the catalogue's pictures. Several machines need a shared folder or a bucket. */
    dir: ['MEDIA_DIR', z.string().default('data/media')],
    /** A bucket takes precedence over the folder. */
    endpoint: ['MEDIA_S3_ENDPOINT', webUrl.optional()],
    bucket: ['MEDIA_S3_BUCKET', bucketName.optional()],
    accessKeyId: ['MEDIA_S3_ACCESS_KEY_ID', z.string().optional()],
    secretAccessKey: ['MEDIA_S3_SECRET_ACCESS_KEY', z.string().optional()],
    region: ['MEDIA_S3_REGION', bucketRegion],
  },
  {
    faults: (given) => [
      ...folderFaults(given),
      ...missingOf(given, 'a bucket', BUCKET_VARIABLES),
      ...plainAddressFaults(given, 'MEDIA_S3_ENDPOINT'),
    ],
    build: ({ dir, endpoint, bucket, region, accessKeyId, secretAccessKey }) =>
      endpoint === undefined ||
      bucket === undefined ||
      accessKeyId === undefined ||
      secretAccessKey === undefined
        ? ({ kind: 'folder', dir } satisfies PictureStorageSettings)
        : ({
            kind: 's3',
            endpoint: endpoint.replace(/\/+$/, ''),
            bucket,
            region,
            accessKeyId,
            secretAccessKey,
          } satisfies PictureStorageSettings),
  },
);
