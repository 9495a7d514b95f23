/**
 * The data with which a phone shows ticket codes (decision 0059): its key, which no script can export, and the tickets of one account. Kept
 * in IndexedDB, because local storage cannot hold such a key. The connection is closed after each use, so that signing out can delete the
 * database at once (`forgetTickets`).
 */
import { TICKETS_DATABASE } from './forget-tickets.ts';

export interface KeptTicket {
  readonly purchaseId: number;
  readonly ticket: Uint8Array<ArrayBuffer>;
}

/** Why the server gives no tickets. */
export type Withheld =
  { readonly reason: 'conflicts'; readonly untilMs: number } | { readonly reason: 'held' };

export interface KeptTickets {
  readonly userUuid: string;
  readonly key: CryptoKeyPair;
  /** Base64url of the compressed point. */
  readonly publicKey: string;
  /** The phone that shows tickets, according to the server's last response. */
  readonly phone: { readonly publicKey: string; readonly label: string } | undefined;
  readonly tickets: readonly KeptTicket[];
  /** The label of another phone that has ended, if only a confirmed move makes this one the ticket phone. Absent in older data. */
  readonly endedPhone?: string;
  /** Absent if nothing is withheld, and in older data. */
  readonly withheld?: Withheld;
  /** The time of the server's last response by this phone's clock, and how far that clock was behind the server's. */
  readonly answeredAtMs: number;
  readonly serverOffsetMs: number;
}

const STORE = 'kept';
const KEY = 'tickets';

/** Some browsers lack one of these, for example outside a secure context. There are no ticket codes then. */
export const canKeepTickets = (): boolean =>
  'indexedDB' in globalThis && 'subtle' in globalThis.crypto;

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'));
  });

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(TICKETS_DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await answerOf(opening);
  try {
    return await answerOf(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** The stored data of this account; `undefined` if nothing is stored, or for another account. */
export async function readTickets(userUuid: string): Promise<KeptTickets | undefined> {
  const kept = await readAnyTickets();
  return kept?.userUuid === userUuid ? kept : undefined;
}

/** The stored data of any account, for use after a sign-out. */
export const readAnyTickets = async (): Promise<KeptTickets | undefined> =>
  (await inStore('readonly', (store) => store.get(KEY))) as KeptTickets | undefined;

/** Replaces the stored data, also that of another account. */
export async function writeTickets(kept: KeptTickets): Promise<void> {
  await inStore('readwrite', (store) => store.put(kept, KEY));
}
