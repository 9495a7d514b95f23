/**
 * Stores pictures. A file has a two-part name, such as `<picture>/640.webp`, and its content never changes, so several processes
 * may write it and it can be cached anywhere.
 */
import { AppError } from '../errors.ts';
import { createFolderStorage } from './picture-storage-folder.ts';
import type { BucketSettings } from './picture-storage-bucket.ts';

/** Each method throws `try_again` if the storage fails or times out. */
export interface PictureStorage {
  /** Atomic: no reader ever sees a partial file. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** `undefined` if there is no such file. */
  get(name: string): Promise<Buffer | undefined>;
  has(name: string): Promise<boolean>;
  /** Does not fail if the file does not exist. */
  remove(name: string): Promise<void>;
}

/** One kind of storage. Its methods stop when the signal is aborted. */
interface RawStorage {
  put(name: string, bytes: Buffer, signal: AbortSignal): Promise<void>;
  get(name: string, signal: AbortSignal): Promise<Buffer | undefined>;
  has(name: string, signal: AbortSignal): Promise<boolean>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

/** A folder, or a bucket of S3 or a compatible storage. */
export type PictureStorageSettings =
  { readonly kind: 'folder'; readonly dir: string } | ({ readonly kind: 's3' } & BucketSettings);

/** Below the timeout of requests, 4.6 s (platform/http/endpoint.ts). */
const ANSWER_WITHIN_MS = 4_000;
const RETRY_AFTER_SECONDS = 2;

/** Aborts after a time limit, since storage can hang: a read from a lost network share would never return. */
async function inTime<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`no response within ${ANSWER_WITHIN_MS} ms`));
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

/** Opens nothing yet: the client of a bucket is loaded on first use. */
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
    remove: (name) => inTime(async (signal) => (await open()).remove(name, signal)),
  };
}
