import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onShare } from '../files/on-share.ts';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Stores pictures in a folder, which is created with the first one. */
export function createFolderStorage(dir: string) {
  const pathOf = (name: string): string => join(dir, name);
  return {
    /** Writes to a temporary file and renames it, so that readers, also after a crash, find the complete file or none. */
    put: (name: string, bytes: Buffer, signal: AbortSignal) =>
      onShare(async () => {
        const path = pathOf(name);
        const unfinished = `${path}.${randomUUID()}.part`;
        await mkdir(dirname(path), { recursive: true });
        try {
          const file = await open(unfinished, 'wx');
          try {
            await file.writeFile(bytes, { signal });
            // Otherwise a power cut could leave an empty file, which would be served forever.
            await file.datasync();
          } finally {
            await file.close();
          }
          signal.throwIfAborted();
          await rename(unfinished, path);
        } catch (error) {
          await rm(unfinished, { force: true });
          throw error;
        }
      }),

    get: (name: string, signal: AbortSignal) =>
      onShare(async (): Promise<Buffer | undefined> => {
        try {
          return await readFile(pathOf(name), { signal });
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),

    has: (name: string) =>
      onShare(async (): Promise<boolean> => {
        try {
          return (await stat(pathOf(name))).isFile();
        } catch (error) {
          if (isMissing(error)) return false;
          throw error;
        }
      }),

    remove: (name: string) =>
      onShare(async (): Promise<void> => {
        const path = pathOf(name);
        await rm(path, { force: true });
        // Fails while the picture has other files.
        await rmdir(dirname(path)).catch(() => undefined);
      }),
  };
}
