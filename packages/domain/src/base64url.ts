/** Bytes as text for the wire: base64url without padding. */

type Bytes = Uint8Array<ArrayBuffer>;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGITS: ReadonlyMap<string, number> = new Map(
  Array.from(ALPHABET, (digit, at) => [digit, at]),
);

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]);
    text += digits.slice(0, Math.min(3, bytes.length - at) + 1).join('');
  }
  return text;
}

/** @throws RangeError if a character is not base64url */
export function fromBase64url(text: string): Bytes {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (const digit of text) {
    const value = DIGITS.get(digit);
    if (value === undefined) throw new RangeError(`${digit} is no base64url`);
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes[at++] = (bits >> bitCount) & 0xff;
  }
  return bytes;
}
