/** The entries of the offline log: signing one, and detecting whether stored entries were changed. */
import { signBytes } from '@athos/app-core/device-key';
import { toBase64url } from '@athos/domain/base64url';
import { entryToSign, type OfflineEntry } from '@athos/domain/offline-log';
import type { Kept, KeptDevice, LogEnd } from './offline-store.ts';

const hashOf = async (entry: OfflineEntry): Promise<string> =>
  toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', entryToSign(entry))));

export async function signEntry(
  entry: OfflineEntry,
  { key }: KeptDevice,
): Promise<{ hash: string; signature: string }> {
  const signature = await signBytes(key, entryToSign(entry));
  return { hash: await hashOf(entry), signature: toBase64url(signature) };
}

/**
 * Whether the entries form a chain without a gap, from the last one that the server has to the end of the log, each with its signed
 * content.
 */
export async function isLogWhole({
  head,
  entries,
}: Pick<Kept, 'head' | 'entries'>): Promise<boolean> {
  if (head === undefined) return entries.length === 0;
  const hashes = await Promise.all(entries.map(hashOf));
  let end: LogEnd = head.known;
  for (const [index, entry] of entries.entries()) {
    const isNext = entry.seq === end.seq + 1 && entry.previousHash === end.hash;
    if (!isNext || entry.hash !== hashes[index]) return false;
    end = entry;
  }
  return end.seq === head.seq && end.hash === head.hash;
}
