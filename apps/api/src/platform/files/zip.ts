/** Writes a ZIP archive as a stream: no entry is held in memory as a whole, so a person's data may be of any size. */
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Writable } from 'node:stream';

/** Receives the bytes of the archive in order. */
type Write = (bytes: Buffer) => Promise<void>;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

/** Flags for UTF-8 names, and for sizes that follow the data. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;
/** 1 January 1980: the archive does not say when it was made; its contents do. */
const DATE = 0x0021;
/** Sizes have 32 bits. Larger files would need the 64-bit form of the format. */
const BYTES_MAX = 0xffff_ffff;

export class ZipWriter {
  readonly #write: Write;
  readonly #entries: Entry[] = [];
  #offset = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  async add(fileName: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    const name = Buffer.from(fileName);
    const offset = this.#offset;
    await this.#put(Buffer.concat([localHeader(name), name]));
    const dataFrom = this.#offset;
    let crc = 0;
    let bytes = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        crc = crc32(chunk, crc);
        bytes += chunk.length;
        yield chunk;
      }
    }
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#put(chunk).then(() => done(), done);
      },
    });
    await pipeline(counted, createDeflateRaw(), sink);
    const packedBytes = this.#offset - dataFrom;
    await this.#put(u32(0x08074b50, crc, packedBytes, bytes));
    this.#entries.push({ name, offset, crc, packedBytes, bytes });
  }

  async end(): Promise<void> {
    const offset = this.#offset;
    for (const entry of this.#entries) {
      await this.#put(Buffer.concat([centralHeader(entry), entry.name]));
    }
    const count = this.#entries.length;
    const size = this.#offset - offset;
    await this.#put(
      Buffer.concat([u32(0x06054b50), u16(0, 0, count, count), u32(size, offset), u16(0)]),
    );
  }

  async #put(bytes: Buffer): Promise<void> {
    this.#offset += bytes.length;
    if (this.#offset > BYTES_MAX) throw new RangeError('the archive exceeds 4 GB');
    await this.#write(bytes);
  }
}

const localHeader = (name: Buffer): Buffer =>
  Buffer.concat([
    u32(0x04034b50),
    u16(VERSION, FLAGS, DEFLATE, 0, DATE),
    u32(0, 0, 0),
    u16(name.length, 0),
  ]);

const centralHeader = ({ name, offset, crc, packedBytes, bytes }: Entry): Buffer =>
  Buffer.concat([
    u32(0x02014b50),
    u16(VERSION, VERSION, FLAGS, DEFLATE, 0, DATE),
    u32(crc, packedBytes, bytes),
    u16(name.length, 0, 0, 0, 0),
    u32(0, offset),
  ]);

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}
