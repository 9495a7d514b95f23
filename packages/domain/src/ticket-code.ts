/**
 * Ticket codes, which a phone without a network shows to a scanner without one (decision 0059). The server signs a ticket in advance, with
 * the items and the public key of the holder's phone. Every few seconds the phone signs a showing of it, with the time and the chosen
 * items. Each content has exactly one spelling, so that two codes are the same exactly if their texts are equal.
 */
import { decodeBase45, encodeBase45 } from './base45.ts';
import { QR_ITEMS_MAX } from './qr-payload.ts';
import { ByteReader, varint } from './varint.ts';

export const TICKET_CODE_START = 'T1:';
export const TICKET_HOURS_MAX = 168;
export const TICKET_GROUPS_MAX = 12;
/** A ticket may hold more items than a code may show at once (D-177). */
export const TICKET_ITEMS_MAX = 255;

const KIND = 1;
const PHONE_KEY_LENGTH = 33;
const SIGNATURE_LENGTH = 64;
const HEAD_LENGTH = 51;
const NUMBER_MAX = 2 ** 48 - 1;
const SECONDS_MAX = 2 ** 32 - 1;
const BYTE_MAX = 0xff;

type Bytes = Uint8Array<ArrayBuffer>;

/** Items of one offer with consecutive ids. */
export interface TicketGroup {
  readonly offerId: number;
  readonly firstItemId: number;
  readonly itemCount: number;
}

export interface TicketContent {
  /** The first byte of the id of the key that signs the ticket. */
  readonly keyByte: number;
  readonly number: number;
  /** The first group of the holder's uuid: 8 hexadecimal digits. */
  readonly holder: string;
  readonly validFromS: number;
  readonly validHours: number;
  /** A point of secp256r1 in its compressed form: 33 bytes. */
  readonly phoneKey: Bytes;
  /** In ascending order of item ids. */
  readonly groups: readonly TicketGroup[];
}

export interface Showing {
  readonly timeS: number;
  /** Ascending indexes into the ticket's items. */
  readonly selection: readonly number[];
}

export interface TicketCode extends Showing {
  readonly content: TicketContent;
  /** The whole ticket, including its signature. */
  readonly ticket: Bytes;
  readonly showingSignature: Bytes;
}

/** The ids of the items, in the order of the ticket. */
export const ticketItemIds = ({ groups }: Pick<TicketContent, 'groups'>): number[] =>
  groups.flatMap(({ firstItemId, itemCount }) =>
    Array.from({ length: itemCount }, (_, index) => firstItemId + index),
  );

/** The bytes before the ticket's signature. @throws RangeError if a ticket cannot hold this content */
export function encodeTicket(content: TicketContent): Bytes {
  const { keyByte, number, holder, validFromS, validHours, phoneKey, groups } = content;
  const fault = contentFault(content);
  if (fault !== undefined) throw new RangeError(`no ticket: ${fault}`);
  const head = new Uint8Array(HEAD_LENGTH);
  const view = new DataView(head.buffer);
  view.setUint8(0, KIND);
  view.setUint8(1, keyByte);
  view.setUint16(2, Math.floor(number / 2 ** 32));
  view.setUint32(4, number % 2 ** 32);
  view.setUint32(8, Number.parseInt(holder, 16));
  view.setUint32(12, validFromS);
  view.setUint8(16, validHours);
  head.set(phoneKey, 17);
  view.setUint8(HEAD_LENGTH - 1, groups.length);
  let lastItemId = 0;
  const rest = groups.flatMap(({ offerId, firstItemId, itemCount }) => {
    const words = [...varint(offerId), ...varint(firstItemId - lastItemId), itemCount];
    lastItemId = firstItemId + itemCount - 1;
    return words;
  });
  return join(head, Uint8Array.from(rest));
}

/** The bytes that the server's key signs. */
export const ticketToSign = (body: Bytes): Bytes => join(ascii('ticket-v1\n'), body);

/** The bytes that the phone's key signs; `ticketHash` is the SHA-256 of the whole ticket. Their hash identifies the code. */
export const showingToSign = (ticketHash: Bytes, showing: Showing, itemCount: number): Bytes =>
  join(ascii('show-v1\n'), ticketHash, encodeShowing(showing, itemCount));

/** The text in the QR code; `ticket` is the body with its signature. */
export function ticketCodeText(
  ticket: Bytes,
  showing: Showing,
  itemCount: number,
  signature: Bytes,
): string {
  return (
    TICKET_CODE_START + encodeBase45(join(ticket, encodeShowing(showing, itemCount), signature))
  );
}

/** The ticket in these bytes, and the end of its signature; `undefined` unless the bytes are exactly those of `encodeTicket`. */
export function parseTicket(
  bytes: Bytes,
): { readonly content: TicketContent; readonly length: number } | undefined {
  if (bytes.length < HEAD_LENGTH + SIGNATURE_LENGTH || bytes[0] !== KIND) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const reader = new ByteReader(bytes, HEAD_LENGTH);
  const groups: TicketGroup[] = [];
  let lastItemId = 0;
  for (let left = view.getUint8(HEAD_LENGTH - 1); left > 0; left--) {
    const [offerId, step, itemCount] = [reader.varint(), reader.varint(), reader.byte()];
    if (offerId === undefined || step === undefined || itemCount === undefined) return undefined;
    groups.push({ offerId, firstItemId: lastItemId + step, itemCount });
    lastItemId += step + itemCount - 1;
  }
  const content = {
    keyByte: view.getUint8(1),
    number: view.getUint16(2) * 2 ** 32 + view.getUint32(4),
    holder: view.getUint32(8).toString(16).padStart(8, '0'),
    validFromS: view.getUint32(12),
    validHours: view.getUint8(16),
    phoneKey: bytes.slice(17, 17 + PHONE_KEY_LENGTH),
    groups,
  };
  const length = reader.at + SIGNATURE_LENGTH;
  return contentFault(content) === undefined && length <= bytes.length
    ? { content, length }
    : undefined;
}

/** A scanned code; `undefined` unless the text is exactly that of `ticketCodeText`. The signatures are not verified here. */
export function parseTicketCode(text: string): TicketCode | undefined {
  if (!text.startsWith(TICKET_CODE_START)) return undefined;
  const bytes = decodeBase45(text.slice(TICKET_CODE_START.length));
  const parsed = bytes === undefined ? undefined : parseTicket(bytes);
  if (bytes === undefined || parsed === undefined) return undefined;
  const { content, length } = parsed;
  const itemCount = ticketItemIds(content).length;
  const selectionAt = length + 4;
  const signatureAt = selectionAt + Math.ceil(itemCount / 8);
  if (bytes.length !== signatureAt + SIGNATURE_LENGTH) return undefined;
  const selection = readSelection(bytes.subarray(selectionAt, signatureAt), itemCount);
  if (selection === undefined) return undefined;
  return {
    content,
    ticket: bytes.slice(0, length),
    timeS: new DataView(bytes.buffer).getUint32(length),
    selection,
    showingSignature: bytes.slice(signatureAt),
  };
}

/** The ids of the items that the holder chose. */
export function shownItemIds({ content, selection }: TicketCode): number[] {
  const ids = ticketItemIds(content);
  return selection.map((index) => ids[index] ?? 0);
}

function contentFault(content: TicketContent): string | undefined {
  const { keyByte, number, holder, validFromS, validHours, phoneKey, groups } = content;
  if (!isIn(keyByte, 0, BYTE_MAX)) return 'the key is no byte';
  if (!isIn(number, 1, NUMBER_MAX)) return 'the number is out of range';
  if (!/^[0-9a-f]{8}$/.test(holder)) return 'the holder is not 8 digits';
  if (!isIn(validFromS, 0, SECONDS_MAX)) return 'the time is out of range';
  if (!isIn(validHours, 1, TICKET_HOURS_MAX)) return 'the hours are out of range';
  if (phoneKey.length !== PHONE_KEY_LENGTH || !isIn(phoneKey[0] ?? 0, 2, 3)) {
    return 'the key of the phone is no compressed point';
  }
  if (!isIn(groups.length, 1, TICKET_GROUPS_MAX)) return 'it has too many groups, or none';
  let lastItemId = 0;
  let lastOfferId = 0;
  let itemCount = 0;
  for (const group of groups) {
    if (!isIn(group.offerId, 1, Number.MAX_SAFE_INTEGER)) return 'an offer is out of range';
    if (!isIn(group.itemCount, 1, BYTE_MAX)) return 'a group has too many items, or none';
    if (!isIn(group.firstItemId, lastItemId + 1, Number.MAX_SAFE_INTEGER - BYTE_MAX)) {
      return 'the items do not rise';
    }
    if (group.offerId === lastOfferId && group.firstItemId === lastItemId + 1) {
      return 'two groups could be one';
    }
    lastOfferId = group.offerId;
    lastItemId = group.firstItemId + group.itemCount - 1;
    itemCount += group.itemCount;
  }
  return itemCount > TICKET_ITEMS_MAX ? 'it has too many items' : undefined;
}

function encodeShowing({ timeS, selection }: Showing, itemCount: number): Bytes {
  const bytes = new Uint8Array(4 + Math.ceil(itemCount / 8));
  new DataView(bytes.buffer).setUint32(0, timeS);
  for (const index of selection) {
    const at = 4 + (index >> 3);
    if (!isIn(index, 0, itemCount - 1)) throw new RangeError(`the ticket has no item ${index}`);
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (index & 7));
  }
  return bytes;
}

/**
 * The indexes of the set bits, from the highest bit of the first byte; `undefined` if a bit has no item, or if too few or too many bits are
 * set.
 */
function readSelection(bytes: Bytes, itemCount: number): number[] | undefined {
  const set = Array.from(
    { length: bytes.length * 8 },
    (_, index) => ((bytes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0,
  );
  const selection = set.flatMap((isSet, index) => (isSet ? index : []));
  const isRight = isIn(selection.length, 1, QR_ITEMS_MAX) && (selection.at(-1) ?? 0) < itemCount;
  return isRight ? selection : undefined;
}

const isIn = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;
const ascii = (text: string): Bytes =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

function join(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
