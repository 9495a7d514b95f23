/** Numbers as LEB128: 7 bits per byte, the lowest first. Each number has one spelling, the shortest. */

type Bytes = Uint8Array<ArrayBuffer>;

export function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}

export class ByteReader {
  readonly #bytes: Bytes;
  at: number;

  constructor(bytes: Bytes, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number | undefined {
    return this.#bytes[this.at++];
  }

  /** `undefined` unless it is in its shortest form and a safe integer. */
  varint(): number | undefined {
    let value = 0;
    for (let weight = 1; weight < Number.MAX_SAFE_INTEGER; weight *= 0x80) {
      const byte = this.byte();
      if (byte === undefined) return undefined;
      value += (byte & 0x7f) * weight;
      if (byte > 0x7f) continue;
      const isShortest = byte !== 0 || weight === 1;
      return isShortest && Number.isSafeInteger(value) ? value : undefined;
    }
    return undefined;
  }
}
