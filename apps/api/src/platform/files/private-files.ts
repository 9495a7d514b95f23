/** Exports: files that only this programme's own processes may read. They are in a folder that API, console and worker share. */
import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onShare } from './on-share.ts';

export interface PrivateFiles {
  /**
   * Writes a file and returns its length. Readers never see a partial file: until it is complete, its name has an ending of its own. Of
   * two that are written under one name, the later one stays.
   */
  write(
    name: string,
    content: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
  ): Promise<number>;
  /** `undefined` if there is no such file. */
  read(name: string): Promise<Readable | undefined>;
  /** Replaces the file that has the new name, if there is one. */
  rename(name: string, newName: string): Promise<void>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /** The names in the folder itself. Subfolders belong to others. */
  names(): Promise<string[]>;
}

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const PART_BYTES = 65_536;
const UNFINISHED = '.part';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const otherwise =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

/** A file that opens after its time is closed again, since nobody waits for it any more. */
async function openInTime(openFile: () => Promise<FileHandle>): Promise<FileHandle> {
  let isLate = false;
  try {
    return await onShare(async () => {
      const file = await openFile();
      if (isLate) await file.close();
      return file;
    });
  } catch (error) {
    isLate = true;
    throw error;
  }
}

/** Each part is read in a call of its own. The file is closed with the stream, whether anybody has read it or not. */
const streamOf = (file: FileHandle): Readable =>
  new Readable({
    read() {
      const part = Buffer.allocUnsafe(PART_BYTES);
      onShare(() => file.read(part)).then(
        ({ bytesRead }) => this.push(bytesRead === 0 ? null : part.subarray(0, bytesRead)),
        (error: unknown) => this.destroy(error as Error),
      );
    },
    destroy(error, done) {
      onShare(() => file.close()).then(() => done(error), done);
    },
  });

export function createPrivateFiles(dir: string): PrivateFiles {
  const pathOf = (name: string): string => join(dir, name);
  return {
    async write(name, content) {
      // Unique, so that two processes that write one file do not mix their bytes.
      const unfinished = `${pathOf(name)}.${randomUUID()}${UNFINISHED}`;
      await onShare(() => mkdir(dir, { recursive: true, mode: FOLDER_OF_OWNER }));
      const file = await openInTime(() => open(unfinished, 'w', OWNER_ONLY));
      try {
        // Unlike `write`, it never writes a part only.
        await content((bytes) => onShare(() => file.appendFile(bytes)));
        await onShare(() => file.datasync());
      } catch (error) {
        await onShare(() => rm(unfinished, { force: true })).catch(() => undefined);
        throw error;
      } finally {
        await onShare(() => file.close());
      }
      return onShare(async () => {
        await rename(unfinished, pathOf(name));
        return (await stat(pathOf(name))).size;
      });
    },
    async read(name) {
      // The file is open when this returns, so it may be deleted while somebody reads it.
      const file = await openInTime(() => open(pathOf(name))).catch(otherwise(undefined));
      return file === undefined ? undefined : streamOf(file);
    },
    rename: (name, newName) => onShare(() => rename(pathOf(name), pathOf(newName))),
    remove: (name) => onShare(() => rm(pathOf(name), { force: true })),
    async names() {
      const entries = await onShare(() =>
        readdir(dir, { withFileTypes: true }).catch(otherwise<Dirent[]>([])),
      );
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  };
}
