/** Links with which a customer is paid, so that nobody has to give out an address that never changes. */
import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { z } from 'zod';
import { TOKEN_ASSETS, type TokenAsset } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { SealedValueError, type Cell, type SealedColumns } from '../../platform/sealed.ts';
import { lockOwner } from '../identity/index.ts';
import type { ProfileDeps } from './own-profile.ts';
import { insertPayCode, selectPayCodes, type PayCodeRow } from './pay-codes.sql.ts';

export type PayCodeDeps = ProfileDeps & { readonly sealed: SealedColumns };

/** Among this many codes, none can be found by guessing. */
const CODE_BYTES = 16;
const PAY_CODES_MAX = 20;

/** The details that are stored sealed. */
const details = z.object({
  code: z.string(),
  label: z.string(),
  /** In micro-units; null if the payer decides. */
  amount: z.string().nullable(),
  asset: z.enum(TOKEN_ASSETS),
  note: z.string(),
});
type Details = z.output<typeof details>;

export interface PayCode extends Details {
  readonly id: string;
  readonly madeAt: Date;
}

interface Wanted {
  readonly label: string;
  readonly amount: string | undefined;
  readonly asset: TokenAsset;
  readonly note: string;
}

const cellOf = (id: string): Cell => ({ table: 'pay_codes', column: 'details', rowId: id });

export const hashOfCode = (code: string): Buffer =>
  createHash('sha256').update(Buffer.from(code, 'base64url')).digest();

/** `undefined` for details that were copied here from another row, or whose key is lost. */
export function openDetails(
  sealed: SealedColumns,
  { id, details: stored }: Pick<PayCodeRow, 'id' | 'details'>,
): Details | undefined {
  try {
    return details.parse(JSON.parse(sealed.open(cellOf(id), stored)));
  } catch (error) {
    if (error instanceof SealedValueError) return undefined;
    throw error;
  }
}

/** The links of a user, newest first. One that does not open is left out, and leads nobody to its owner. */
export async function readPayCodes(
  { db, sealed }: PayCodeDeps,
  userId: bigint,
): Promise<PayCode[]> {
  const rows = await selectPayCodes(db, userId);
  return rows.flatMap((row) => {
    const opened = openDetails(sealed, row);
    return opened === undefined ? [] : { id: row.id, madeAt: row.madeAt, ...opened };
  });
}

/** Throws `too_many_pay_codes`, `session_ended`. */
export async function makePayCode(
  { db, clock, sealed }: PayCodeDeps,
  userId: bigint,
  { label, amount, asset, note }: Wanted,
): Promise<PayCode> {
  const madeAt = dateOf(clock);
  const id = uuidv7(madeAt.getTime(), (bytes) => randomFillSync(bytes));
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const kept: Details = { code, label, amount: amount ?? null, asset, note };
  await db.transaction().execute(async (tx) => {
    await lockOwner(tx, userId);
    if ((await selectPayCodes(tx, userId)).length >= PAY_CODES_MAX) {
      throw new AppError('too_many_pay_codes');
    }
    await insertPayCode(tx, userId, {
      id,
      madeAt,
      codeHash: hashOfCode(code),
      details: sealed.seal(cellOf(id), JSON.stringify(kept)),
    });
  });
  return { id, madeAt, ...kept };
}
