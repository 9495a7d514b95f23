/**
 * Stores the built assets of the apps where every process can find them. While processes are replaced, a page of the new build asks an
 * old process for its parts, and a page that was opened before asks a new one (P-054). So each process stores its own assets beside the
 * pictures, and fetches an asset that it does not have.
 *
 * Somebody with write access to the bucket must not be able to run a script in the wallet. So each file begins with a keyed hash of its
 * name and its bytes, and is served only if the hash is ours.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashesOf, hashOf, isHashOf } from '../keys/hashing-keys.ts';
import type { Caller } from '../limits/caller.ts';
import { createGate } from '../limits/gate.ts';
import type { Log } from '../log/log.ts';
import type { PictureStorage } from './picture-storage.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};
/** Name, content hash and kind, as the build writes them, without a folder. */
const NAME_PATTERN = /^[A-Za-z0-9_.-]{1,80}-[A-Za-z0-9_-]{8}\.(js|css|woff2|wasm)$/;
const HASH_BYTES = 32;
/** The largest asset, the reader of QR codes, has 1 MB. */
const ASSET_BYTES_MAX = 4 * 1024 * 1024;
/** Anybody may request any name, and a bucket may charge for each request. */
const FETCHES = { atOnceMax: 4, waitingMax: 100, waitMaxMs: 3_500, ofCallerMax: 2 };
/** A build has some 120 assets in 4 MB. */
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const MISSING_COUNT_MAX = 5_000;
/** The time for which a missing name is remembered: a process that is just starting may still store it. */
const MISSING_FOR_MS = 60_000;

export interface KeptAsset {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface KeptAssets {
  /**
   * Stores the assets of a build, if there is one. Never rejects: an asset that is not stored is missing only while processes are
   * replaced.
   */
  keep(app: string, folder: string | undefined): Promise<void>;
  /** Returns `undefined` if there is no such asset. Throws `try_again` or `overloaded`. */
  find(caller: Caller, app: string, name: string): Promise<KeptAsset | undefined>;
}

interface KeptDeps {
  readonly pictureStorage: PictureStorage;
  readonly config: { readonly hashingKeys: readonly string[] };
  readonly log: Log;
}

const pathOf = (app: string, name: string): string => `build-${app}/${name}`;

/** The hash covers the bytes and the file's name, so that no file passes for another. */
const hashedParts = (path: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`built asset ${path}\n`), bytes]);

export function createKeptAssets({ pictureStorage, config, log }: KeptDeps): KeptAssets {
  const gate = createGate(FETCHES);
  const cached = new Map<string, KeptAsset>();
  const missingUntilMs = new Map<string, number>();
  let cachedBytes = 0;

  function read(path: string, file: Buffer): Buffer | undefined {
    const [hash, bytes] = [file.subarray(0, HASH_BYTES), file.subarray(HASH_BYTES)];
    const isOurs =
      bytes.length <= ASSET_BYTES_MAX &&
      isHashOf(hashesOf(config.hashingKeys, hashedParts(path, bytes)), hash);
    if (isOurs) return bytes;
    log.error({ path }, 'a kept asset was changed, and is not served');
    return undefined;
  }

  async function fetchAsset(path: string, type: string): Promise<KeptAsset | undefined> {
    const file = await pictureStorage.get(path);
    const bytes = file && read(path, file);
    if (bytes === undefined) {
      if (missingUntilMs.size >= MISSING_COUNT_MAX) missingUntilMs.clear();
      missingUntilMs.set(path, performance.now() + MISSING_FOR_MS);
      return undefined;
    }
    const asset = { type, bytes };
    if (cachedBytes + bytes.length > CACHE_BYTES_MAX) {
      cached.clear();
      cachedBytes = 0;
    }
    if (!cached.has(path)) cachedBytes += bytes.length;
    cached.set(path, asset);
    return asset;
  }

  async function keepOne(path: string, file: string): Promise<void> {
    const bytes = await readFile(file);
    if (bytes.length > ASSET_BYTES_MAX) return;
    const hash = hashOf(config.hashingKeys, hashedParts(path, bytes));
    // Each start writes the file again. Its date then shows that a build still uses it, and a rule that deletes old files spares it.
    await pictureStorage.put(path, Buffer.concat([hash, bytes]));
  }

  return {
    async keep(app, folder) {
      if (folder === undefined) return;
      try {
        const names = await readdir(join(folder, 'assets'));
        for (const name of names.filter((each) => NAME_PATTERN.test(each))) {
          await keepOne(pathOf(app, name), join(folder, 'assets', name));
        }
      } catch (error) {
        log.warn({ err: error }, 'the built assets could not be kept for other processes');
      }
    },

    async find(caller, app, name) {
      const type = TYPES[NAME_PATTERN.exec(name)?.[1] ?? ''];
      if (type === undefined) return undefined;
      const path = pathOf(app, name);
      const known = cached.get(path);
      if (known !== undefined) return known;
      if ((missingUntilMs.get(path) ?? 0) > performance.now()) return undefined;
      return gate(caller, () => fetchAsset(path, type));
    },
  };
}
