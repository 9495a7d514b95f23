/**
 * Signed QR codes (spec 3, D-067 to D-073). The signature covers the canonical text of `{t, d}`; the code shows `{t, d, s}`.
 * Browser and server must build the same bytes, so only this file builds that text.
 */
import { isUuid } from './uuid.ts';

export const QR_VERSION = 1;
export const QR_KINDS = ['purchase', 'tier', 'transfer'] as const;
export type QrKind = (typeof QR_KINDS)[number];
/** D-177. */
export const QR_ITEMS_MAX = 40;
/** Spec 7 and 9: how often a displayed code is replaced. */
export const QR_REFRESH_MS = 10_000;
/** Largest clock difference at signing (D-070), and how long after its time a code can be scanned (D-075). */
export const QR_VALID_MS = 30_000;
/** How long after its time a code can be redeemed, if it was scanned in time (D-175). */
export const QR_REDEEMABLE_MS = 120_000;
/** How long after its time an account's code proves that sender and receiver are in the same place. */
export const QR_MET_MS = 60_000;
const ACCOUNT_LENGTH_MIN = 30;
const ACCOUNT_LENGTH_MAX = 52;

export interface QrData {
  /** The user's uuid. */
  readonly a: string;
  /** Milliseconds since 1970 by the server's clock. */
  readonly t: number;
  readonly v: number;
  /** Purchase item ids, in purchase codes only. */
  readonly i?: readonly number[];
}

export interface QrContent {
  readonly t: QrKind;
  readonly d: QrData;
}

export interface SignedQr extends QrContent {
  readonly s: string;
}

/** `JSON.stringify({t, d})` with the keys in the order t, d: {a, t, v, i}. */
export function canonicalQrText({ t, d }: QrContent): string {
  const data = d.i === undefined ? { a: d.a, t: d.t, v: d.v } : { a: d.a, t: d.t, v: d.v, i: d.i };
  return JSON.stringify({ t, d: data });
}

/** The text that a QR code shows. */
export const signedQrText = (content: QrContent, signature: string): string =>
  `${canonicalQrText(content).slice(0, -1)},"s":${JSON.stringify(signature)}}`;

function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function isQrData(value: unknown, kind: QrKind): value is QrData {
  if (typeof value !== 'object' || value === null) return false;
  const data = value as Record<string, unknown>;
  if (typeof data['a'] !== 'string') return false;
  if (data['a'].length < ACCOUNT_LENGTH_MIN || data['a'].length > ACCOUNT_LENGTH_MAX) return false;
  if (!isPositiveInteger(data['t']) || !isPositiveInteger(data['v'])) return false;
  const items = data['i'];
  if (kind !== 'purchase') return items === undefined;
  return Array.isArray(items) && items.length > 0 && items.every(isPositiveInteger);
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The content of a canonical text; `undefined` unless the text has the shape of spec 3. */
export function parseQrContent(text: string): QrContent | undefined {
  const value = parseJsonObject(text);
  const kind = QR_KINDS.find((known) => known === value?.['t']);
  if (value === undefined || kind === undefined || !isQrData(value['d'], kind)) return undefined;
  return { t: kind, d: value['d'] };
}

/** A scanned code; `undefined` unless it is valid JSON of the shape of spec 3 (spec 5). */
export function parseSignedQr(text: string): SignedQr | undefined {
  const content = parseQrContent(text);
  const signature = parseJsonObject(text)?.['s'];
  return content === undefined || typeof signature !== 'string' || signature === ''
    ? undefined
    : { ...content, s: signature };
}

/** The address in a scanned code: `d.a` of a signed payload (D-076), or a bare uuid (D-077). */
export function addressOfScan(decodedText: string): string | undefined {
  const bare = decodedText.trim();
  return isUuid(bare) ? bare.toLowerCase() : parseSignedQr(bare)?.d.a;
}
