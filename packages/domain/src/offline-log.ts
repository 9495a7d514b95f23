/**
 * The log of a scanner without a network: one entry for each redemption (decision 0064). Entries are numbered and contain the hash of the
 * previous one, so that none can be omitted, changed or moved later. The scanner's key signs each; the code in it is signed by the guest's
 * phone.
 */
import { QR_VALID_MS } from './qr-payload.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** Browsers and Node have it; this package uses the types of neither. */
declare const TextEncoder: new () => { encode: (text: string) => Bytes };

/** How far a code may be ahead of the scanner's clock: the tolerated difference between two clocks. */
export const OFFLINE_AHEAD_MS = 15_000;
/** The validity of a code without a network: that of a code online plus the tolerated clock difference. */
export const OFFLINE_CODE_MS = QR_VALID_MS + OFFLINE_AHEAD_MS;
/** The maximum age of a scanner's list. With an older one it redeems nothing without a network. */
export const PACK_HOURS_MAX = 12;
export const SYNC_ENTRIES_MAX = 200;
/** The hash before the first entry of a device. */
export const FIRST_PREVIOUS_HASH = 'A'.repeat(43);

export interface OfflineEntry {
  readonly deviceId: string;
  /** From 1, without gaps. */
  readonly seq: number;
  /** Base64url of 32 bytes; `FIRST_PREVIOUS_HASH` for the first. */
  readonly previousHash: string;
  /** Milliseconds since 1970 by the server's clock, as far as the scanner knows it. */
  readonly atMs: number;
  /** The member of staff who is signed in at the scanner. */
  readonly staffUuid: string;
  readonly venueId: number;
  /** The text of the ticket code, as it was scanned. */
  readonly code: string;
  /** The items handed out, in ascending order. The code shows all of them. */
  readonly itemIds: readonly number[];
}

/** The bytes that the scanner's key signs (ECDSA with SHA-256 on secp256r1). Their SHA-256 is the entry's hash. */
export const entryToSign = (entry: OfflineEntry): Bytes =>
  new TextEncoder().encode(
    [
      'entry-v1',
      entry.deviceId,
      entry.seq,
      entry.previousHash,
      entry.atMs,
      entry.staffUuid,
      entry.venueId,
      entry.itemIds.join(','),
      entry.code,
    ].join('\n'),
  );

/** The text that the scanner's key signs to prove its possession. It contains the session, so a proof is useless elsewhere. */
export const scannerProofText = (sessionId: string): string => `scanner-v1\n${sessionId}`;

/** The amount that a device may redeem before it has reported to the server. */
export interface Allowance {
  readonly itemsMax: number;
  readonly valueMaxAthHundredths: number;
  readonly itemValueMaxAthHundredths: number;
}
