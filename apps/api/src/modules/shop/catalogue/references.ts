/** Checks that the objects to which the catalogue's rows refer exist. */
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { shareMerchant } from '../../merchants/index.ts';
import { selectPicture } from '../pictures/pictures.sql.ts';
import { selectTier } from '../tiers/tiers.sql.ts';
import { selectStaffCategory } from './categories.sql.ts';

/** The refusal of one field of a request. */
export const fieldFault = (pointer: string, message: string): AppError =>
  new AppError('invalid_request', { detail: message, extra: { errors: [{ pointer, message }] } });

export async function requirePicture(tx: Tx, pictureId: string | null): Promise<void> {
  if (pictureId === null || (await selectPicture(tx, pictureId)) !== undefined) return;
  throw fieldFault('/picture_id', 'There is no such picture.');
}

export async function requireTier(tx: Tx, tierId: number | null): Promise<void> {
  if (tierId === null || (await selectTier(tx, tierId)) !== undefined) return;
  throw fieldFault('/tier_id_min', 'There is no such tier.');
}

/** Keeps the merchant from being archived until the transaction ends. */
export async function requireMerchant(tx: Tx, merchantId: number | null): Promise<void> {
  if (merchantId === null) return;
  const merchant = await shareMerchant(tx, merchantId);
  if (merchant === undefined) throw fieldFault('/merchant_id', 'There is no such merchant.');
  if (merchant.archived_at !== null) throw fieldFault('/merchant_id', 'This merchant is archived.');
}

export async function requireCategory(tx: Tx, categoryId: number): Promise<void> {
  const category = await selectStaffCategory(tx, categoryId);
  if (category === undefined) throw fieldFault('/category_id', 'There is no such category.');
  if (category.archived_at !== null) throw fieldFault('/category_id', 'This category is archived.');
}
