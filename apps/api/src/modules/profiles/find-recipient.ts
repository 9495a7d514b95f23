/** Who is meant by what a sender has typed, pasted or scanned. */
import type { TokenAsset } from '@athos/domain/money';
import { parseHandle } from '@athos/domain/handle';
import { isUuid } from '@athos/domain/uuid';
import type { Db } from '../../platform/database/database.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import { hashOfCode, openDetails } from './pay-codes.ts';
import { selectByCode } from './pay-codes.sql.ts';
import { selectByHandle, selectByUuid, type Found } from './profiles.sql.ts';

/** 16 bytes as base64url: neither an address nor a handle. */
const PAY_CODE = /^[A-Za-z0-9_-]{22}$/;

export interface FoundRecipient extends Found {
  /** What the owner of a pay link asks for. */
  readonly pay?: {
    readonly amount: string | null;
    readonly asset: TokenAsset;
    readonly note: string;
  };
}

/**
 * The open account behind a uuid, a handle or the code of a pay link. `undefined` alike for one that never was, is closed, was ended or
 * does not want to be found.
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
  if (!PAY_CODE.test(text)) return undefined;
  const found = await selectByCode(db, hashOfCode(text));
  if (found === undefined) return undefined;
  const { amount, asset, note } = openDetails(sealed, found);
  return { uuid: found.uuid, name: found.name, pay: { amount, asset, note } };
}
