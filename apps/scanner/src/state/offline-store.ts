/**
 * The data with which a scanner redeems without a network (decision 0068): its key, which no script can export, the server's list, and the
 * log of redemptions. Kept in IndexedDB, because local storage holds no keys and may lose its last writes. It outlives sign-out.
 */
import { FIRST_PREVIOUS_HASH, type OfflineEntry } from '@athos/domain/offline-log';
import type { OfflineItem, OfflineOffer } from '@athos/domain/judge-offline';

const DATABASE = 'scanner-offline';
const KEPT = 'kept';
const ENTRIES = 'entries';

interface DeviceName {
  readonly deviceId: string;
  readonly name: string;
}

export interface KeptDevice extends DeviceName {
  readonly key: CryptoKeyPair;
}

/** The server's list without its long parts, which are read only when they have changed. */
export interface KeptPack {
  readonly staffUuid: string;
  readonly venueId: number;
  /** By the server's clock. */
  readonly madeAtMs: number;
  /** The time when the long parts were last fetched whole. */
  readonly wholeAtMs: number;
  readonly nextSince: string;
  readonly isSuspect: boolean;
  readonly grant:
    | {
        readonly untilMs: number;
        readonly itemsMax: number;
        readonly valueMaxAthHundredths: number;
        readonly itemValueMaxAthHundredths: number;
      }
    | undefined;
  readonly keys: readonly { readonly keyByte: number; readonly publicKey: string }[];
  readonly offers: readonly (OfflineOffer & { readonly id: number })[];
}

/** The long parts. A `Float64Array` is read back ten times faster than an array of numbers. */
export interface KeptLists {
  readonly madeAtMs: number;
  readonly endedTickets: Float64Array<ArrayBuffer>;
  readonly spentItems: Float64Array<ArrayBuffer>;
}

/** Identifies an entry of the log by its number and hash. */
export interface LogEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The end of the log, and the time of the newest list ever stored. */
export interface LogHead extends LogEnd {
  readonly atMs: number;
  /** The last entry that the server has acknowledged. */
  readonly known: LogEnd;
  readonly listMadeAtMs: number;
}

export interface KeptClock {
  /** The offset to add to this device's clock to get the server's. */
  readonly offsetMs: number;
  /** The time of the server's last response, by this device's clock. */
  readonly answeredAtMs: number;
  /** The clock has been changed since then. */
  readonly wasChanged: boolean;
}

export interface KeptEntry extends OfflineEntry {
  readonly signature: string;
  /** The hash of the entry, which the next entry names as its previous one. */
  readonly hash: string;
  /** The id of the scan in the list of recent scans. */
  readonly scanId: string;
  readonly items: readonly Pick<OfflineItem, 'id' | 'title' | 'priceAthHundredths'>[];
}

export interface Kept {
  readonly device: KeptDevice | undefined;
  readonly pack: KeptPack | undefined;
  readonly head: LogHead | undefined;
  readonly clock: KeptClock | undefined;
  /** Entries that the server has not acknowledged, in ascending order. */
  readonly entries: readonly KeptEntry[];
}

interface Records {
  key: CryptoKeyPair;
  device: DeviceName;
  pack: KeptPack;
  lists: KeptLists;
  head: LogHead;
  clock: KeptClock;
}

/** Some browsers lack one of these, for example outside a secure context. Such a device works online only. */
export const canKeepKeys = (): boolean =>
  'indexedDB' in globalThis && 'subtle' in globalThis.crypto;

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(request.error ?? new Error('the browser could not store the data'));
  });

async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(KEPT);
    opening.result.createObjectStore(ENTRIES, { keyPath: 'seq' });
  };
  return answerOf(opening);
}

/** Runs one transaction. Its writes are on disk when this resolves: `strict` waits for that. */
async function inTransaction<T>(
  mode: IDBTransactionMode,
  act: (stores: Stores) => Promise<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction([KEPT, ENTRIES], mode, { durability: 'strict' });
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () =>
        reject(transaction.error ?? new Error('the browser did not store the data'));
    });
    // A failure of `act` is reported instead.
    finished.catch(() => undefined);
    const result = await act(new Stores(transaction));
    await finished;
    return result;
  } finally {
    database.close();
  }
}

/** The two stores within a transaction, which ends by itself when no request is pending. */
class Stores {
  readonly #kept: IDBObjectStore;
  readonly #entries: IDBObjectStore;

  constructor(transaction: IDBTransaction) {
    this.#kept = transaction.objectStore(KEPT);
    this.#entries = transaction.objectStore(ENTRIES);
  }

  get<Name extends keyof Records>(name: Name): Promise<Records[Name] | undefined> {
    return answerOf(this.#kept.get(name)) as Promise<Records[Name] | undefined>;
  }

  put<Name extends keyof Records>(name: Name, record: Records[Name]): Promise<unknown> {
    return answerOf(this.#kept.put(record, name));
  }

  entries(): Promise<KeptEntry[]> {
    return answerOf(this.#entries.getAll());
  }

  /** Fails if there is an entry with this number. */
  addEntry(entry: KeptEntry): Promise<unknown> {
    return answerOf(this.#entries.add(entry));
  }

  removeEntries(lastSeq: number): Promise<unknown> {
    return answerOf(this.#entries.delete(IDBKeyRange.upperBound(lastSeq)));
  }
}

export const readKept = (): Promise<Kept> =>
  inTransaction('readonly', async (stores) => {
    const [key, named, pack, head, clock, entries] = await Promise.all([
      stores.get('key'),
      stores.get('device'),
      stores.get('pack'),
      stores.get('head'),
      stores.get('clock'),
      stores.entries(),
    ]);
    const device = key && named ? { ...named, key } : undefined;
    return { device, pack, head, clock, entries };
  });

export const readKey = (): Promise<CryptoKeyPair | undefined> =>
  inTransaction('readonly', (stores) => stores.get('key'));

export const keepKey = (key: CryptoKeyPair): Promise<unknown> =>
  inTransaction('readwrite', (stores) => stores.put('key', key));

export const readLists = (): Promise<KeptLists | undefined> =>
  inTransaction('readonly', (stores) => stores.get('lists'));

const START: LogEnd = { seq: 0, hash: FIRST_PREVIOUS_HASH };
const EMPTY_HEAD: LogHead = { ...START, atMs: 0, known: START, listMadeAtMs: 0 };

/** A device with a new id starts a new log. The caller must have made sure that no entry of the old log is waiting. */
export const keepDevice = (device: DeviceName): Promise<unknown> =>
  inTransaction('readwrite', async (stores) => {
    const before = await stores.get('device');
    const head = (await stores.get('head')) ?? EMPTY_HEAD;
    const isSame = before?.deviceId === device.deviceId;
    await Promise.all([
      stores.put('device', device),
      stores.put('head', isSame ? head : { ...EMPTY_HEAD, listMadeAtMs: head.listMadeAtMs }),
    ]);
  });

export const keepClock = (clock: KeptClock): Promise<unknown> =>
  inTransaction('readwrite', (stores) => stores.put('clock', clock));

/** Resolves to false and stores nothing unless the list is newer than every list before it. `log`: the end of the log at the server. */
export const keepPack = (pack: KeptPack, lists: KeptLists, log: LogEnd): Promise<boolean> =>
  inTransaction('readwrite', async (stores) => {
    const head = (await stores.get('head')) ?? EMPTY_HEAD;
    if (pack.madeAtMs <= head.listMadeAtMs) return false;
    // A device that lost its log continues at the server's end.
    const end = log.seq > head.seq ? { ...log, known: log } : {};
    await Promise.all([
      stores.put('pack', pack),
      stores.put('lists', lists),
      stores.put('head', { ...head, ...end, listMadeAtMs: pack.madeAtMs }),
    ]);
    return true;
  });

/** Called when the server refuses these staff redemptions without a network at this venue. */
export const withdrawGrant = (staffUuid: string, venueId: number): Promise<unknown> =>
  inTransaction('readwrite', async (stores) => {
    const pack = await stores.get('pack');
    if (pack?.staffUuid !== staffUuid || pack.venueId !== venueId) return;
    await stores.put('pack', { ...pack, grant: undefined });
  });

/** Resolves to false and stores nothing if the log no longer ends with `seen`, because another tab has added an entry. */
export const addEntry = (entry: KeptEntry, seen: LogEnd): Promise<boolean> =>
  inTransaction('readwrite', async (stores) => {
    const head = await stores.get('head');
    if (head?.seq !== seen.seq || head.hash !== seen.hash) return false;
    const { seq, hash, atMs } = entry;
    await Promise.all([stores.addEntry(entry), stores.put('head', { ...head, seq, hash, atMs })]);
    return true;
  });

/** Removes the entries up to `known`, which the server has acknowledged. */
export const removeEntries = (known: LogEnd): Promise<unknown> =>
  inTransaction('readwrite', async (stores) => {
    const head = (await stores.get('head')) ?? EMPTY_HEAD;
    const end = known.seq > head.seq ? known : {};
    await Promise.all([
      stores.removeEntries(known.seq),
      stores.put('head', { ...head, ...end, known }),
    ]);
  });
