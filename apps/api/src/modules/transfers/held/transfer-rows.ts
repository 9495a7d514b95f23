/** The sends behind movements into and out of `in_transit`, for the history and for staff. */
import { type TransferObjects } from '../../../capability.ts';
import { TransferKind, userIdOfAccount, type JournalTransfer } from '../../../ledger/index.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { selectHeldByIds, selectHeldByKeys, type HeldSendRow } from './held-sends.sql.ts';

const HELD_KINDS = [TransferKind.SendHeld, TransferKind.SendPosted, TransferKind.SendReturned];

type Moved = Pick<JournalTransfer, 'transferId' | 'kind' | 'key' | 'debitAccountId'>;

/** Selects held sends by transfer id. Other movements are omitted. */
export async function selectHeldOfTransfers(
  db: Db | Tx,
  transfers: readonly Moved[],
): Promise<ReadonlyMap<bigint, HeldSendRow>> {
  const into = transfers.flatMap(({ kind, key, debitAccountId, transferId }) => {
    const userId = userIdOfAccount(debitAccountId);
    return kind === TransferKind.SendHeld && userId !== undefined
      ? [{ userId, key, transferId }]
      : [];
  });
  const outOf = transfers.filter(
    ({ kind }) => kind === TransferKind.SendPosted || kind === TransferKind.SendReturned,
  );
  const [sent, settled] = await Promise.all([
    selectHeldByKeys(db, into),
    selectHeldByIds(
      db,
      outOf.map(({ key }) => key),
    ),
  ]);
  const byKey = new Map(sent.map((row) => [`${row.sender_id} ${row.key}`, row]));
  const byId = new Map(settled.map((row) => [row.id, row]));
  const pairs = [
    ...into.map(
      ({ transferId, userId, key }) => [transferId, byKey.get(`${userId} ${key}`)] as const,
    ),
    ...outOf.map(({ transferId, key }) => [transferId, byId.get(key)] as const),
  ];
  return new Map(pairs.flatMap(([id, row]) => (row === undefined ? [] : [[id, row]])));
}

/** All movements of one send refer to it, so that staff find them together. */
export const heldObjects: TransferObjects = {
  kinds: HELD_KINDS,
  async find(db, transfers) {
    const rows = await selectHeldOfTransfers(db, transfers);
    return new Map([...rows].map(([transferId, { id }]) => [transferId, { type: 'send', id }]));
  },
};
