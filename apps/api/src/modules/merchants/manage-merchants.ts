/** Adding, changing and archiving merchants. Each change is a write of the console, in its transaction. */
import { MERCHANT_COUNT_MAX } from '@athos/contract/console/merchants';
import { merchantAccountId, selectAccountsById, type Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import { may, type SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import { requireVersion } from '../../platform/console/versions.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  countMerchants,
  countOffers,
  insertMerchant,
  isMerchantSelling,
  lockMerchant,
  lockMerchants,
  selectMerchant,
  selectWaiting,
  updateMerchant,
  type MerchantRow,
  type MerchantText,
} from './merchants.sql.ts';

export interface MerchantDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
}

type MerchantAct = Pick<ActInput, 'tx' | 'staff' | 'record'>;

const mayReadMoney = (staff: SignedInStaff): boolean => may(staff, 'reports.money');

/** The rows of a list, in the list's order. */
export async function presentSummaries(
  db: Db | Tx,
  staff: SignedInStaff,
  rows: readonly MerchantRow[],
) {
  const ids = rows.map(({ id }) => id);
  const [offerCounts, accounts] = await Promise.all([
    countOffers(db, ids),
    mayReadMoney(staff) ? selectAccountsById(db, ids.map(merchantAccountId)) : undefined,
  ]);
  return rows.map(({ id, name, archived_at: archivedAt }) => ({
    id,
    name,
    archived_at: archivedAt?.toISOString() ?? null,
    offer_count: offerCounts.get(id) ?? 0,
    balance:
      accounts === undefined
        ? null
        : (accounts.get(merchantAccountId(id))?.balanceUnits ?? 0n).toString(),
  }));
}

/** Throws `not_found`. */
export async function presentMerchant(db: Db | Tx, staff: SignedInStaff, id: number) {
  const row = await selectMerchant(db, id);
  if (row === undefined) throw new AppError('not_found');
  const [summary] = await presentSummaries(db, staff, [row]);
  if (summary === undefined) throw new AppError('not_found');
  const waiting = mayReadMoney(staff) ? await selectWaiting(db, id) : null;
  return {
    ...summary,
    note: row.note,
    version: row.version,
    created_at: row.created_at.toISOString(),
    account_id: merchantAccountId(id).toString(),
    waiting:
      waiting?.map(({ id: approvalId, units, expiresAt }) => ({
        approval_id: approvalId,
        amount: units.toString(),
        expires_at: expiresAt.toISOString(),
      })) ?? null,
  };
}

export async function createMerchant(
  { clock, ledger }: MerchantDeps,
  { tx, staff, record }: MerchantAct,
  text: MerchantText,
) {
  await lockMerchants(tx);
  if ((await countMerchants(tx, {})).value >= MERCHANT_COUNT_MAX) {
    throw new AppError('catalogue_full', {
      detail: 'There are as many merchants as there may be.',
    });
  }
  const id = await insertMerchant(tx, text, dateOf(clock));
  await ledger.openMerchantAccount(tx, id);
  await record({ subjectId: `${id}`, after: text });
  return presentMerchant(tx, staff, id);
}

type Changing = MerchantAct & { readonly version: number };

/** Throws `not_found` and `version_conflict`. */
async function lockVersion({ tx, staff, version }: Changing, id: number): Promise<MerchantRow> {
  const merchant = await lockMerchant(tx, id);
  if (merchant === undefined) throw new AppError('not_found');
  requireVersion(version, await presentMerchant(tx, staff, id));
  return merchant;
}

export async function changeMerchant(act: Changing, id: number, text: MerchantText) {
  const { tx, staff, record } = act;
  const { name, note } = await lockVersion(act, id);
  await updateMerchant(tx, id, text);
  await record({ subjectId: `${id}`, before: { name, note }, after: text });
  return presentMerchant(tx, staff, id);
}

/** Archives a merchant. The balance owed to an archived merchant can still be settled. Throws `merchant_in_use`. */
export async function archiveMerchant(
  { clock }: MerchantDeps,
  act: Changing,
  { id, isArchived }: { readonly id: number; readonly isArchived: boolean },
) {
  const { tx, staff, record } = act;
  const { archived_at: archivedAt } = await lockVersion(act, id);
  if (isArchived && (await isMerchantSelling(tx, id))) {
    throw new AppError('merchant_in_use', { detail: 'Withdraw its offers first.' });
  }
  await updateMerchant(tx, id, { archived_at: isArchived ? (archivedAt ?? dateOf(clock)) : null });
  await record({
    subjectId: `${id}`,
    before: { is_archived: archivedAt !== null },
    after: { is_archived: isArchived },
  });
  return presentMerchant(tx, staff, id);
}
