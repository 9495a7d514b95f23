import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { drawFileKey, readSealed, SealedFileError, writeSealed } from './sealed-file.ts';

async function seal(key: Buffer, parts: readonly Buffer[]): Promise<Buffer> {
  const written: Buffer[] = [];
  await writeSealed(
    key,
    async (bytes) => void written.push(bytes),
    async (write) => {
      for (const part of parts) await write(part);
    },
  );
  return Buffer.concat(written);
}

/** The file as a disk returns it: in pieces unrelated to its chunks. */
async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 10_007) yield file.subarray(at, at + 10_007);
}

async function open(key: Buffer, file: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readSealed(key, piecesOf(file))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it.each([0, 1, 65_535, 65_536, 65_537, 200_000])(
  'a file of %d bytes is read as it was',
  async (count) => {
    const [key, text] = [drawFileKey(), randomBytes(count)];
    const file = await seal(key, [text.subarray(0, count >> 1), text.subarray(count >> 1)]);
    expect(await open(key, file)).toEqual(text);
    if (count > 16) expect(file.includes(text.subarray(0, 16))).toBe(false);
  },
);

it('a file that was changed, cut off, put in another order or sealed with another key is refused', async () => {
  const key = drawFileKey();
  const file = await seal(key, [randomBytes(150_000)]);
  const chunkBytes = 4 + 65_536 + 16;
  const [head, first, second, last] = [
    file.subarray(0, 16),
    file.subarray(16, 16 + chunkBytes),
    file.subarray(16 + chunkBytes, 16 + 2 * chunkBytes),
    file.subarray(16 + 2 * chunkBytes),
  ];
  const changed = Buffer.from(file);
  changed.writeUInt8(changed.readUInt8(70_000) ^ 1, 70_000);
  const wrong = [
    changed,
    file.subarray(0, file.length - 1),
    Buffer.concat([head, first, second]),
    Buffer.concat([head, second, first, last]),
    Buffer.concat([head, first, last]),
    head,
    Buffer.alloc(0),
  ];
  for (const bytes of wrong) await expect(open(key, bytes)).rejects.toThrow(SealedFileError);
  await expect(open(drawFileKey(), file)).rejects.toThrow(SealedFileError);
});
