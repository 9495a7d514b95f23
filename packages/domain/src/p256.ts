/**
 * Points of the curve secp256r1. A ticket has a phone's key in compressed form, 33 bytes, which WebCrypto of several browsers cannot
 * import. So the other coordinate is computed here.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const COORDINATE_LENGTH = 32;

/** Compresses a point from 65 to 33 bytes. */
export function compressPoint(point: Uint8Array): Bytes {
  const isOdd = ((point.at(-1) ?? 0) & 1) === 1;
  return Uint8Array.from([isOdd ? 3 : 2, ...point.slice(1, 1 + COORDINATE_LENGTH)]);
}

/** Decompresses a point from 33 to 65 bytes; `undefined` if it is not on the curve. */
export function decompressPoint(bytes: Uint8Array): Bytes | undefined {
  const [sign] = bytes;
  if (bytes.length !== 1 + COORDINATE_LENGTH || (sign !== 2 && sign !== 3)) return undefined;
  const x = toNumber(bytes.subarray(1));
  if (x >= P) return undefined;
  const square = (((x * x) % P) * x + (P - 3n) * x + B) % P;
  // P is 3 modulo 4, so this power is a root of every square.
  const root = power(square, (P + 1n) / 4n);
  if ((root * root) % P !== square) return undefined;
  const y = root % 2n === BigInt(sign - 2) ? root : P - root;
  return Uint8Array.from([4, ...toBytes(x), ...toBytes(y)]);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let left = exponent; left > 0n; left /= 2n) {
    if (left % 2n === 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function toBytes(value: bigint): number[] {
  const text = value.toString(16).padStart(2 * COORDINATE_LENGTH, '0');
  return Array.from({ length: COORDINATE_LENGTH }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
}
