/** Exports: files that only this programme's own processes may read. They are in a folder that API, console and worker share. */
import type { Dirent, ReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface PrivateFiles {
  /** Writes a file and returns its length. Readers never see a partial file. */
  write(
    name: string,
    content: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
  ): Promise<number>;
  /** `undefined` if there is no such file. */
  read(name: string): Promise<ReadStream | undefined>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /** The names in the folder itself. Subfolders belong to others. */
  names(): Promise<string[]>;
}

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const otherwise =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

export function createPrivateFiles(dir: string): PrivateFiles {
  const pathOf = (name: string): string => join(dir, name);
  return {
    async write(name, content) {
      await mkdir(dir, { recursive: true, mode: FOLDER_OF_OWNER });
      const unfinished = `${pathOf(name)}.part`;
      const file = await open(unfinished, 'w', OWNER_ONLY);
      try {
        // Unlike `write`, it never writes a part only.
        await content((bytes) => file.appendFile(bytes));
        await file.datasync();
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await rename(unfinished, pathOf(name));
      return (await stat(pathOf(name))).size;
    },
    async read(name) {
      // The file is open when this returns, so it may be deleted while somebody reads it.
      const file = await open(pathOf(name)).catch(otherwise(undefined));
      return file?.createReadStream();
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async names() {
      const entries = await readdir(dir, { withFileTypes: true }).catch(otherwise<Dirent[]>([]));
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  };
}
