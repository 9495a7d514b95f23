/**
 * Files whose content a copy of the disk must not reveal. Each has a key of its own that is stored elsewhere: without it nothing of the
 * file can be read again. The content is encrypted in chunks, so that a file of any length is written and read in constant memory.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const NONCE_BYTES = 12;
const CHUNK_BYTES = 64 * 1024;

export type Write = (bytes: Buffer) => Promise<void>;

/** The file was changed, cut off, or sealed with another key. */
export class SealedFileError extends Error {
  override readonly name = 'SealedFileError';
}

export const drawFileKey = (): Buffer => randomBytes(KEY_BYTES);

/** A salt in each file keeps its nonces apart from those of any other file with the same key. */
const keyOf = (key: Buffer, salt: Buffer): Buffer =>
  createHmac('sha256', key).update('sealed file').update(salt).digest();

/** Numbers the chunks and marks the last one, so that none can be left out, moved or cut off. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index, 4);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

function sealedChunk(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(encrypted.length);
  return Buffer.concat([length, encrypted, cipher.getAuthTag()]);
}

/** Runs `content` with a `write` function that seals the bytes it gets, in order. */
export async function writeSealed(
  key: Buffer,
  write: Write,
  content: (write: Write) => Promise<void>,
): Promise<void> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyOf(key, salt);
  let waiting = Buffer.alloc(0);
  let index = 0;
  await write(salt);
  await content(async (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length > CHUNK_BYTES) {
      await write(sealedChunk(fileKey, nonceOf(index, false), waiting.subarray(0, CHUNK_BYTES)));
      waiting = waiting.subarray(CHUNK_BYTES);
      index += 1;
    }
  });
  await write(sealedChunk(fileKey, nonceOf(index, true), waiting));
}

/** Reads the given number of bytes from the chunks of a stream, or fewer at its end. */
function readerOf(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  return async (count: number): Promise<Buffer> => {
    while (read.length < count) {
      const { done, value } = await chunks.next();
      if (done === true) break;
      read = Buffer.concat([read, value]);
    }
    const taken = read.subarray(0, count);
    read = read.subarray(taken.length);
    return taken;
  };
}

function openedChunk(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const length = sealed.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(length));
    return Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()]);
  } catch (cause) {
    throw new SealedFileError('the file was changed, cut off or sealed with another key', {
      cause,
    });
  }
}

/** The original content, chunk by chunk. Throws `SealedFileError` before it yields a chunk that does not verify. */
export async function* readSealed(
  key: Buffer,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const take = readerOf(stream);
  const fileKey = keyOf(key, await take(SALT_BYTES));
  let next = await take(LENGTH_BYTES);
  for (let index = 0; next.length === LENGTH_BYTES; index += 1) {
    const length = next.readUInt32BE();
    if (length > CHUNK_BYTES) throw new SealedFileError('a chunk is too long');
    const sealed = await take(length + TAG_BYTES);
    next = await take(LENGTH_BYTES);
    const isLast = next.length < LENGTH_BYTES;
    yield openedChunk(fileKey, nonceOf(index, isLast), sealed);
    if (isLast) return;
  }
  throw new SealedFileError('the file was cut off');
}
