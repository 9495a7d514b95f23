/**
 * What a scanner without a network notes of each redemption (decision 0064). Entries are numbered and name the hash of the one before,
 * so that none can be left out, changed or moved later. The scanner's key signs each; the guest's phone has signed the code in it.
 */
import { QR_VALID_MS } from './qr-payload.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** Browsers and Node have it; the types of this package belong to neither. */
declare const TextEncoder: new () => { encode: (text: string) => Bytes };

/** A code may be this far ahead of the scanner's clock: what two clocks may differ. */
export const OFFLINE_AHEAD_MS = 15_000;
/** Without a network a code counts this long: as long as online, and what two clocks may differ. */
export const OFFLINE_CODE_MS = QR_VALID_MS + OFFLINE_AHEAD_MS;
/** A scanner whose list of the programme is older redeems nothing without a network. */
export const PACK_HOURS_MAX = 12;
export const SYNC_ENTRIES_MAX = 200;
/** The hash before the first entry of a device. */
export const FIRST_PREVIOUS_HASH = 'A'.repeat(43);

export interface OfflineEntry {
  readonly deviceId: string;
  /** From 1, without a gap. */
  readonly seq: number;
  /** Base64url of 32 bytes; `FIRST_PREVIOUS_HASH` for the first. */
  readonly previousHash: string;
  /** Milliseconds since 1970 by the server's clock, as well as the scanner knows it. */
  readonly atMs: number;
  /** Who is signed in at the scanner. */
  readonly staffUuid: string;
  readonly venueId: number;
  /** The text of the ticket code, as it was scanned. */
  readonly code: string;
  /** The items that were handed out: rising, all of them shown by the code. */
  readonly itemIds: readonly number[];
}

/** What the scanner's key signs (ECDSA with SHA-256 on secp256r1). Its SHA-256 is the entry's hash. */
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

/** What the scanner's key signs to prove that it is the scanner's own; the session makes it worthless elsewhere. */
export const scannerProofText = (sessionId: string): string => `scanner-v1\n${sessionId}`;

/** How much a device may redeem until it has told the server of it. */
export interface Allowance {
  readonly itemsMax: number;
  readonly valueMaxAthHundredths: number;
  readonly itemValueMaxAthHundredths: number;
}
