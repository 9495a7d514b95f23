/** Venues, staff, bought items and customers' codes for tests. */
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { uuidv7 } from '@athos/domain/uuid';
import { createOffer, type OfferRow } from './build-catalog.ts';
import type { TestApp, TestUser } from './test-app.ts';

let lastNumber = 0;
const nextNumber = (): number => (lastNumber += 1);

export interface TestVenue {
  readonly id: number;
  readonly name: string;
  readonly address: string;
}

export function createVenue({ deps }: TestApp, name = `Venue ${nextNumber()}`): Promise<TestVenue> {
  return deps.db
    .insertInto('venues')
    .values({ name, address: `${nextNumber()} Harbour Road` })
    .returning(['id', 'name', 'address'])
    .executeTakeFirstOrThrow();
}

/** Creates a signed-in staff member of the given venues, by default of a new one. */
export async function createStaff(
  test: TestApp,
  venues?: readonly TestVenue[],
): Promise<TestUser & { readonly venues: readonly TestVenue[] }> {
  const { db } = test.deps;
  const bound = venues ?? [await createVenue(test)];
  const user = await test.createUser();
  await db.updateTable('users').set({ role: 'scanner' }).where('id', '=', user.userId).execute();
  for (const { id } of bound) {
    await db.insertInto('venue_staff').values({ venue_id: id, user_id: user.userId }).execute();
  }
  return { ...user, venues: bound };
}

/** Revokes a staff member's binding to a venue, as an operator does. */
export async function unbindStaff(
  { deps }: TestApp,
  { userId }: TestUser,
  venueId: number,
): Promise<void> {
  await deps.db
    .updateTable('venue_staff')
    .set({ revoked_at: new Date(deps.clock.nowMs()) })
    .where('user_id', '=', userId)
    .where('venue_id', '=', venueId)
    .execute();
}

export interface TestPurchase {
  readonly purchaseId: number;
  readonly itemIds: readonly number[];
  readonly offer: OfferRow;
}

/** Inserts items as a purchase does. Redemption moves no value, so nothing is paid here. */
export async function createItems(
  test: TestApp,
  { userId }: TestUser,
  { count = 1, offer }: { readonly count?: number; readonly offer?: OfferRow } = {},
): Promise<TestPurchase> {
  const { db, clock } = test.deps;
  const bought = offer ?? (await createOffer(test));
  if (bought.kind === 3) throw new Error('a tip has no items');
  const { id: purchaseId } = await db
    .insertInto('purchases')
    .values({
      user_id: userId,
      key: uuidv7(clock.nowMs(), (bytes) => crypto.getRandomValues(bytes)),
      total_ath_hundredths: BigInt(bought.price_ath_hundredths * count),
      created_at: new Date(clock.nowMs()),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('purchase_lines')
    .values({
      purchase_id: purchaseId,
      line: 0,
      offer_id: bought.id,
      item_count: count,
      price_ath_hundredths: bought.price_ath_hundredths,
      title: bought.title,
      note: bought.note,
      img: bought.img,
      kind: bought.kind,
    })
    .execute();
  const items = await db
    .insertInto('purchase_items')
    .values(
      Array.from({ length: count }, () => ({
        purchase_id: purchaseId,
        line: 0,
        redeemed_at: null,
        redemption_id: null,
      })),
    )
    .returning('id')
    .execute();
  return {
    purchaseId: Number(purchaseId),
    itemIds: items.map(({ id }) => Number(id)),
    offer: bought,
  };
}

/** The content of a code that a customer's phone would show now. */
export const purchaseContent = (
  { clock }: TestApp,
  { uuid }: TestUser,
  itemIds: readonly number[],
): QrContent => ({ t: 'purchase', d: { a: uuid, t: clock.nowMs(), v: 1, i: itemIds } });

/** The text of a code as the wallet shows it after `account/sign`. */
export const signedCode = ({ deps }: TestApp, content: QrContent): string =>
  signedQrText(content, deps.qrKeys.signText(canonicalQrText(content)));

export const purchaseCode = (test: TestApp, user: TestUser, itemIds: readonly number[]): string =>
  signedCode(test, purchaseContent(test, user, itemIds));
