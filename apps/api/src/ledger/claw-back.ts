/**
 * Takes value back from users who may have spent it, and from merchants who may have been paid out. A chargeback must succeed even
 * if the balance is too low. So this opens the paying accounts and lowers their floors for the movement; nobody sees that, because the
 * ledger stays locked until the commit.
 */
import { sql } from 'kysely';
import { units, type Units } from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import { lockHead } from './account-states.ts';
import { mayOwe, type LedgerAccountId } from './accounts.ts';
import { postInTransaction, type LedgerTx } from './in-transaction.ts';
import type { GroupOutcome, GroupTransferRequest } from './transfer.ts';

interface Payer {
  readonly id: string;
  readonly floor: string;
  readonly state: number;
}

/** The amount that each account of a user or a merchant pays, as two parallel arrays. */
function takenFrom(requests: readonly GroupTransferRequest[]): { ids: string; amounts: string } {
  const taken = new Map<LedgerAccountId, bigint>();
  for (const { debitAccountId: id, amountUnits } of requests) {
    if (mayOwe(id)) taken.set(id, (taken.get(id) ?? 0n) + amountUnits);
  }
  return { ids: `{${[...taken.keys()].join(',')}}`, amounts: `{${[...taken.values()].join(',')}}` };
}

/** Opens the paying accounts and lowers their floors so that they can pay. Returns their previous states; closed ones are left out. */
async function openForTaking(
  tx: LedgerTx,
  { ids, amounts }: { readonly ids: string; readonly amounts: string },
): Promise<readonly Payer[]> {
  const { rows } = await sql<Payer>`
    select account_id::text as id, floor_before::text as floor, state_before as state
      from ledger_open_for_taking(${ids}::bigint[], ${amounts}::bigint[])`.execute(tx);
  return rows;
}

async function restore(
  tx: LedgerTx,
  payers: readonly Payer[],
  { isFloorKept }: { readonly isFloorKept: boolean },
): Promise<void> {
  const column = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
  await sql`
    select ledger_end_taking(${column(payers.map(({ id }) => id))}::bigint[],
      ${column(payers.map(({ floor }) => floor))}::bigint[], ${column(payers.map(({ state }) => state))}::smallint[],
      ${isFloorKept}::boolean)`.execute(tx);
}

export async function clawBack(
  tx: LedgerTx,
  requests: readonly GroupTransferRequest[],
): Promise<GroupOutcome> {
  invariant(tx.isTransaction, 'clawBackInTx is called in a transaction');
  await lockHead(tx);
  const payers = await openForTaking(tx, takenFrom(requests));
  const result = await postInTransaction(tx, requests);
  await restore(tx, payers, { isFloorKept: result.outcome === 'done' });
  return result;
}

export async function raiseFloor(tx: LedgerTx, accountId: LedgerAccountId): Promise<Units> {
  invariant(tx.isTransaction, 'restoreFloorInTx is called in a transaction');
  invariant(mayOwe(accountId), 'only an account that may owe has a floor that moved');
  await lockHead(tx);
  const { rows } = await sql<{ floor: string | null }>`
    select ledger_raise_floor(${accountId.toString()}::bigint)::text as floor`.execute(tx);
  const floor = rows[0]?.floor ?? undefined;
  if (floor === undefined) throw new RangeError(`no ledger account ${accountId}`);
  return units(BigInt(floor));
}
