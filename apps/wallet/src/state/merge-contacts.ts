/**
 * Merges the contacts of this device with those that the server keeps for all devices of the account (decision 0066). No contact saved here
 * is lost unless another device deleted it: contacts that the server lacks are sent to it.
 */
import type { AnswerOf, BodyOf } from '@athos/contract/api';
import {
  CONTACT_VERSION_MAX,
  CONTACTS_MAX,
  DELETED_CONTACTS_KEPT_MS,
  isAlias,
} from '@athos/domain/contacts';
import { isUuid } from '@athos/domain/uuid';
import type { Contact } from './contacts.ts';
import type { SharedContact, SharedContacts } from './shared-contacts.ts';

type Kept = AnswerOf<'contacts'>['contacts'][number];
export type ContactChange = BodyOf<'changeContacts'>['contacts'][number];

interface OnDevice {
  readonly contacts: readonly Contact[];
  /** Contacts removed by the user since the last merge. */
  readonly removed: readonly Contact[];
  readonly shared: SharedContacts;
}

interface OnServer {
  readonly contacts: readonly Kept[];
  readonly atMs: number;
}

interface Merged {
  /** The same array if nothing has changed. */
  readonly contacts: readonly Contact[];
  readonly shared: SharedContacts;
  /** The changes to send to the server, deletions first. */
  readonly changes: readonly ContactChange[];
}

/** Two contacts with the same address and name are one (spec 3). */
const pairOf = ({ alias, address }: Contact): string => `${address.toLowerCase()} ${alias}`;

const after = (version: number): number => Math.min(version + 1, CONTACT_VERSION_MAX);

/** Whether the server accepts it. Contacts saved by older builds may have characters in their names that it refuses. */
const canBeShared = ({ alias, address }: Contact): boolean => isAlias(alias) && isUuid(address);

/** The merge so far. */
interface Merge {
  /** Rows by id. */
  readonly rows: Map<string, SharedContact>;
  /** Versions of the contacts deleted here, by id. */
  readonly gone: Map<string, number>;
  /** Versions of the rows to send to the server, by id. */
  readonly sent: Map<string, number>;
  readonly unreadable: { id: string; version: number }[];
  /** Pairs to remove from the list, unless a row has them. */
  readonly dropped: Set<string>;
}

function beginMerge({ removed, shared }: OnDevice): Merge {
  const removedPairs = new Set(removed.map(pairOf));
  const isRemoved = (row: SharedContact): boolean => removedPairs.has(pairOf(row));
  const gone = [...shared.gone, ...shared.rows.filter(isRemoved)];
  const rows = shared.rows.filter((row) => !isRemoved(row));
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    gone: new Map(gone.map(({ id, version }) => [id, version])),
    sent: new Map(),
    unreadable: [],
    dropped: new Set(),
  };
}

function learnLive(merge: Merge, kept: Extract<Kept, { state: 'live' }>): void {
  const { rows, gone, sent, dropped } = merge;
  const { id, version, alias, address } = kept;
  const own = rows.get(id);
  const goneVersion = gone.get(id);
  if (goneVersion !== undefined && after(goneVersion) >= version) {
    gone.set(id, Math.max(goneVersion, version));
    return;
  }
  // Another device has changed the contact since it was deleted here, so it is kept.
  gone.delete(id);
  if (own !== undefined && own.version > version) {
    // The server has lost the newer version, as after restoring a backup.
    sent.set(id, own.version);
    return;
  }
  if (own !== undefined) dropped.add(pairOf(own));
  rows.set(id, { id, version, alias, address });
}

function learn(merge: Merge, kept: Kept): void {
  const { rows, gone, sent, unreadable, dropped } = merge;
  const { id, version } = kept;
  const own = rows.get(id);
  switch (kept.state) {
    case 'live':
      learnLive(merge, kept);
      break;
    case 'deleted':
      gone.delete(id);
      rows.delete(id);
      if (own !== undefined) dropped.add(pairOf(own));
      break;
    case 'unreadable':
      if (gone.has(id)) gone.set(id, version);
      else if (own === undefined) unreadable.push({ id, version });
      else sent.set(id, after(version));
      break;
  }
}

/** Sends rows that the server lacks. If the server may already have purged a deletion, such rows are dropped instead. */
function missAtServer({ rows, gone, sent, dropped }: Merge, isAtServer: Has, isOld: boolean): void {
  for (const id of gone.keys()) if (!isAtServer(id)) gone.delete(id);
  for (const row of [...rows.values()].filter(({ id }) => !isAtServer(id))) {
    if (isOld && row.version > 0) {
      rows.delete(row.id);
      dropped.add(pairOf(row));
    } else sent.set(row.id, Math.max(row.version, 1));
  }
}

/**
 * Two devices may have saved the same contact. All devices keep the same row: rows at the server come first, then the oldest id (UUIDv7).
 */
function uniteRows({ rows, gone, sent }: Merge): Map<string, SharedContact> {
  const byPair = new Map<string, SharedContact>();
  const byAge = [...rows.values()].toSorted(
    (one, other) =>
      Number(one.version === 0) - Number(other.version === 0) || (one.id < other.id ? -1 : 1),
  );
  for (const row of byAge) {
    if (!byPair.has(pairOf(row))) byPair.set(pairOf(row), row);
    else {
      rows.delete(row.id);
      sent.delete(row.id);
      if (row.version > 0) gone.set(row.id, row.version);
    }
  }
  return byPair;
}

type Has = (id: string) => boolean;

/** Deletions come first to make room for additions. */
function changesOf({ rows, gone, sent }: Merge, isLeftOut: Has): readonly ContactChange[] {
  const deletions = [...gone].map(([id, version]) => ({
    id,
    version: after(version),
    state: 'deleted' as const,
  }));
  const lives = [...rows.values()].flatMap(({ id, alias, address }) => {
    const version = sent.get(id);
    if (version === undefined || isLeftOut(id)) return [];
    return [{ id, version, state: 'live' as const, alias, address }];
  });
  return [...deletions, ...lives];
}

export function mergeContacts(own: OnDevice, server: OnServer, makeId: () => string): Merged {
  const { contacts, shared } = own;
  const merge = beginMerge(own);
  const { rows, gone, sent, dropped } = merge;
  for (const kept of server.contacts) learn(merge, kept);

  const atServer = new Set(server.contacts.map(({ id }) => id));
  const isOld = shared.atMs > 0 && server.atMs - shared.atMs >= DELETED_CONTACTS_KEPT_MS;
  missAtServer(merge, (id) => atServer.has(id), isOld);
  const byPair = uniteRows(merge);

  const stay = contacts.filter((one) => byPair.has(pairOf(one)) || !dropped.has(pairOf(one)));
  const staying = new Set(stay.map(pairOf));
  const come = [...byPair].flatMap(([pair, { alias, address }]) =>
    staying.has(pair) ? [] : [{ alias, address }],
  );
  const list = stay.length === contacts.length && come.length === 0 ? contacts : [...stay, ...come];

  for (const { alias, address } of list) {
    const row = { id: '', version: 0, alias, address: address.toLowerCase() };
    if (byPair.has(pairOf(row)) || !canBeShared(row)) continue;
    const id = makeId();
    rows.set(id, { ...row, id });
    byPair.set(pairOf(row), row);
    sent.set(id, 1);
  }

  const keptCount = server.contacts.filter(
    ({ id, state }) => state !== 'deleted' && !gone.has(id),
  ).length;
  const added = [...sent.keys()].filter((id) => !atServer.has(id));
  const leftOut = new Set(added.slice(Math.max(0, CONTACTS_MAX - keptCount)));
  return {
    contacts: list,
    shared: {
      atMs: server.atMs,
      rows: [...rows.values()],
      gone: [...gone].map(([id, version]) => ({ id, version })),
      unreadable: merge.unreadable,
      leftOutCount: leftOut.size,
    },
    changes: changesOf(merge, (id) => leftOut.has(id)),
  };
}
