/** Stores entries such that their data about a holder can be erased with the holder, whatever happens to the entry. */
import { parseTicketCode } from '@athos/domain/ticket-code';
import { addressOfScan } from '@athos/domain/qr-payload';
import { isUuid } from '@athos/domain/uuid';
import type { Tx } from '../../../platform/database/database.ts';
import {
  insertEntries,
  selectHoldersOfCodes,
  type CodeNames,
  type NewEntry,
} from './entries.sql.ts';

/** The holder named in a code, whether or not it is signed: a forged code can contain a real id as well. */
function namesIn(code: string): CodeNames {
  const parsed = parseTicketCode(code);
  if (parsed !== undefined) {
    const { content, ticket } = parsed;
    return { number: content.number, ticket: Buffer.from(ticket), uuid: null };
  }
  const uuid = addressOfScan(code);
  return { number: null, ticket: null, uuid: uuid !== undefined && isUuid(uuid) ? uuid : null };
}

/**
 * Stores the entries. An entry whose items have no holder belongs to the holder named in its code. The code of an erased holder is not
 * stored again.
 */
export async function storeEntries(
  tx: Tx,
  logId: string,
  entries: readonly NewEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const holders = await selectHoldersOfCodes(
    tx,
    entries.map(({ entry }) => namesIn(entry.code)),
  );
  await insertEntries(
    tx,
    logId,
    entries.map((one, index) => {
      const { userId = null, isErased = false } = holders[index] ?? {};
      return {
        ...one,
        holderUserId: one.holderUserId ?? userId,
        code: isErased || one.entry.code === '' ? null : one.entry.code,
      };
    }),
    at,
  );
}
