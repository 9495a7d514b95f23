/**
 * Base45 (RFC 9285): bytes as text of the 45 characters that a QR code stores in 5.5 bits each. Cameras return text and guess the
 * encoding of bytes, so a code of bytes would not arrive intact.
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const BASE = ALPHABET.length;
const PAIR_MAX = 0xff_ff;
const BYTE_MAX = 0xff;

export function encodeBase45(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 2) {
    const [first = 0, second] = bytes.subarray(at, at + 2);
    text += second === undefined ? digits(first, 2) : digits(first * 256 + second, 3);
  }
  return text;
}

/** Returns the bytes; `undefined` if a character, the length or a value is outside RFC 9285. No two texts have the same bytes. */
export function decodeBase45(text: string): Uint8Array<ArrayBuffer> | undefined {
  const rest = text.length % 3;
  if (rest === 1) return undefined;
  const bytes = new Uint8Array(Math.floor(text.length / 3) * 2 + (rest === 2 ? 1 : 0));
  for (let from = 0, to = 0; from < text.length; from += 3, to += 2) {
    const value = valueOf(text.slice(from, from + 3));
    const isLastByte = from + 2 === text.length;
    if (value === undefined || value > (isLastByte ? BYTE_MAX : PAIR_MAX)) return undefined;
    if (isLastByte) bytes[to] = value;
    else bytes.set([value >> 8, value & BYTE_MAX], to);
  }
  return bytes;
}

/** Least significant digit first. */
function digits(value: number, count: number): string {
  let text = '';
  for (let left = value, index = 0; index < count; index++, left = Math.floor(left / BASE)) {
    text += ALPHABET[left % BASE];
  }
  return text;
}

function valueOf(text: string): number | undefined {
  let value = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = ALPHABET.indexOf(text.charAt(at));
    if (digit < 0) return undefined;
    value = value * BASE + digit;
  }
  return value;
}
