/**
 * What a phone keeps to show ticket codes (decision 0059): its key, which no script can export, and the tickets of one account. Kept in
 * IndexedDB, because local storage cannot hold such a key. The connection is closed after each use, so that signing out can
 * delete the database at once (`forgetTickets`).
 */
import { TICKETS_DATABASE } from './forget-tickets.ts';

export interface KeptTicket {
  readonly purchaseId: number;
  readonly ticket: Uint8Array<ArrayBuffer>;
}

export interface KeptTickets {
  readonly userUuid: string;
  readonly key: CryptoKeyPair;
  /** Base64url of the compressed point. */
  readonly publicKey: string;
  /** The phone that shows tickets, as the server last said. */
  readonly phone: { readonly publicKey: string; readonly label: string } | undefined;
  readonly tickets: readonly KeptTicket[];
  /** When the server last answered, by this phone's clock, and how far that clock was behind the server's. */
  readonly answeredAtMs: number;
  readonly serverOffsetMs: number;
}

const STORE = 'kept';
const KEY = 'tickets';

/** Some browsers have neither, for example outside a secure context. Then there are no ticket codes. */
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

/** What this phone keeps for the account; `undefined` if nothing, or for another account. */
export async function readTickets(userUuid: string): Promise<KeptTickets | undefined> {
  const kept = await readAnyTickets();
  return kept?.userUuid === userUuid ? kept : undefined;
}

/** What this phone keeps after a sign-out, whoever it belongs to. */
export const readAnyTickets = async (): Promise<KeptTickets | undefined> =>
  (await inStore('readonly', (store) => store.get(KEY))) as KeptTickets | undefined;

/** Replaces what was kept, also for another account. */
export async function writeTickets(kept: KeptTickets): Promise<void> {
  await inStore('readwrite', (store) => store.put(kept, KEY));
}
