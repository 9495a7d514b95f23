/** The process of the bucket: it keeps files in memory, until it is killed. */
import { startS3Server } from '../../apps/api/test/s3-server.ts';
import { BUCKET_PORT, OUTSIDE_ADDRESS } from './outside.ts';

await startS3Server({ host: OUTSIDE_ADDRESS, port: BUCKET_PORT });
