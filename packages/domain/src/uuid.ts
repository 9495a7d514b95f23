/** UUIDs in their 36-character text form. */

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID_PATTERN.test(text);

/** The first 8 and last 4 characters: `0192f3a1…6e12`. The first ones alone encode the time, which accounts of one day share. */
export const shortUuid = (uuid: string): string => `${uuid.slice(0, 8)}…${uuid.slice(-4)}`;

const VERSION_7 = '7';
const VERSION_AT = 14;

/** The time in a version 7 UUID, in milliseconds since 1970; `undefined` for other versions, which carry no usable time. */
export function uuidTimeMs(uuid: string): number | undefined {
  if (uuid[VERSION_AT] !== VERSION_7) return undefined;
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** A version 7 UUID for `nowMs` (RFC 9562). Time-ordered, so that recent keys share index pages. */
export function uuidv7(
  nowMs: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): string {
  const bytes = random(new Uint8Array(new ArrayBuffer(16)));
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint16(0, Math.floor(nowMs / 2 ** 32));
  view.setUint32(2, nowMs % 2 ** 32);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
