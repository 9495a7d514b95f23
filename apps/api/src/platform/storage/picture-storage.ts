/**
 * Where pictures are kept. A file has a name of two parts, such as `<picture>/640.webp`, and never changes once it is
 * there: so it may be written twice, by several processes, and be read from anywhere.
 */
import { AppError } from '../errors.ts';
import { createFolderStorage } from './picture-storage-folder.ts';
import type { BucketSettings } from './picture-storage-bucket.ts';

/** Each throws `try_again` where the storage fails or does not answer in time. */
export interface PictureStorage {
  /** All or nothing: nobody ever reads half a file. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Undefined where there is no such file. */
  get(name: string): Promise<Buffer | undefined>;
  has(name: string): Promise<boolean>;
}

/** What each kind of storage does; it gives up when the signal says so. */
interface RawStorage {
  put(name: string, bytes: Buffer, signal: AbortSignal): Promise<void>;
  get(name: string, signal: AbortSignal): Promise<Buffer | undefined>;
  has(name: string, signal: AbortSignal): Promise<boolean>;
}

/** A folder, or a bucket that is spoken to as to S3. */
export type PictureStorageSettings =
  { readonly kind: 'folder'; readonly dir: string } | ({ readonly kind: 's3' } & BucketSettings);

/** The longest that any request waits for its answer is 4.8 s (endpoint.ts). */
const ANSWER_WITHIN_MS = 4_000;
const RETRY_AFTER_SECONDS = 2;

/** `run`, given up by a storage that hangs: a lost network share leaves a read of a file waiting for ever. */
async function inTime<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    }, ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([run(controller.signal), tooLate]);
  } catch (error) {
    throw new AppError('try_again', {
      detail: 'The pictures cannot be reached.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Opens nothing yet. What speaks to a bucket is loaded with its first use, and only where there is one. */
export function createPictureStorage(settings: PictureStorageSettings): PictureStorage {
  let opened: Promise<RawStorage> | undefined;
  const open = (): Promise<RawStorage> =>
    (opened ??=
      settings.kind === 'folder'
        ? Promise.resolve(createFolderStorage(settings.dir))
        : import('./picture-storage-bucket.ts').then((kind) => kind.createBucketStorage(settings)));
  return {
    put: (name, bytes) => inTime(async (signal) => (await open()).put(name, bytes, signal)),
    get: (name) => inTime(async (signal) => (await open()).get(name, signal)),
    has: (name) => inTime(async (signal) => (await open()).has(name, signal)),
  };
}
