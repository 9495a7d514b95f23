/** Finds the recipient in a text that a sender has typed, pasted or scanned. */
import type { TokenAsset } from '@athos/domain/money';
import { parseHandle } from '@athos/domain/handle';
import { payCodeOfText } from '@athos/domain/pay-code';
import { isUuid } from '@athos/domain/uuid';
import type { Db } from '../../platform/database/database.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import { hashOfCode, openDetails } from './pay-codes.ts';
import { selectByCode } from './pay-codes.sql.ts';
import { selectByHandle, selectByUuid, type Found } from './profiles.sql.ts';

export interface FoundRecipient extends Found {
  /** The amount that the owner of a pay link requests. */
  readonly pay?: {
    readonly amount: string | null;
    readonly asset: TokenAsset;
    readonly note: string;
  };
}

/**
 * The open account for a uuid, a handle or the code of a pay link. `undefined` for an account or link that does not exist, was closed or
 * ended, or does not want to be found; these cases cannot be distinguished.
 */
export async function findRecipientOf(
  { db, sealed }: { readonly db: Db; readonly sealed: SealedColumns },
  given: string,
): Promise<FoundRecipient | undefined> {
  const text = given.trim();
  const uuid = text.toLowerCase();
  if (isUuid(uuid)) return selectByUuid(db, uuid);
  if (text.startsWith('@')) {
    const handle = parseHandle(text);
    return handle === undefined ? undefined : selectByHandle(db, handle);
  }
  const code = payCodeOfText(text);
  const found = code === undefined ? undefined : await selectByCode(db, hashOfCode(code));
  if (found === undefined) return undefined;
  const opened = openDetails(sealed, found);
  if (opened === undefined) return undefined;
  const { amount, asset, note } = opened;
  return { uuid: found.uuid, name: found.name, pay: { amount, asset, note } };
}
