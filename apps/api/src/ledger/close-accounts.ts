/** Closes a user's accounts: the balances are forfeited, and no more value can move in or out. */
import { sql } from 'kysely';
import {
  TOKEN_ASSETS,
  TRANSFER_MICRO_MAX,
  tokenUnits,
  type TokenAsset,
  type TokenUnits,
} from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import { systemAccountId, userAccountId } from './accounts.ts';
import { lockHead, updateAccountState } from './account-states.ts';
import { postInTransaction, type LedgerTx } from './in-transaction.ts';
import { TransferKind, type GroupTransferRequest } from './transfer.ts';

export interface Forfeited {
  readonly asset: TokenAsset;
  readonly amountUnits: TokenUnits;
}

export type CloseOutcome =
  | { readonly outcome: 'closed'; readonly forfeited: readonly Forfeited[] }
  /** An account is below 0. */
  | { readonly outcome: 'negative' }
  /** An account is held, restricted, frozen or closed. */
  | { readonly outcome: 'blocked' }
  /** The user has used this key for another movement. */
  | { readonly outcome: 'key_reused' };

interface HeldRow {
  readonly asset: TokenAsset;
  readonly balance: string;
  readonly state: number;
}

/** Reads the balances under the ledger's lock, so that no transfer can change them before the transaction ends. */
async function lockHeld(tx: LedgerTx, userId: bigint): Promise<readonly HeldRow[]> {
  await lockHead(tx);
  const ids = `{${TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)).join(',')}}`;
  const { rows } = await sql<HeldRow>`
    select asset, balance_units::text as balance, state from ledger_accounts
     where id = any(${ids}::bigint[]) order by id`.execute(tx);
  invariant(rows.length === TOKEN_ASSETS.length, 'a user has an account in every token');
  return rows;
}

/** One transfer moves at most `TRANSFER_MICRO_MAX`, so larger balances take several. */
function forfeits(userId: bigint, key: string, held: readonly Forfeited[]): GroupTransferRequest[] {
  return held
    .flatMap(({ asset, amountUnits }) => {
      const parts: { asset: TokenAsset; amountUnits: TokenUnits }[] = [];
      for (let left: bigint = amountUnits; left > 0n; left -= TRANSFER_MICRO_MAX) {
        parts.push({
          asset,
          amountUnits: tokenUnits(left < TRANSFER_MICRO_MAX ? left : TRANSFER_MICRO_MAX),
        });
      }
      return parts;
    })
    .map(({ asset, amountUnits }, line) => ({
      debitAccountId: userAccountId(userId, asset),
      creditAccountId: systemAccountId('breakage', asset),
      amountUnits,
      kind: TransferKind.Forfeit,
      key,
      line,
    }));
}

/**
 * Moves every balance of the user to breakage (D-106) and closes the accounts. Writes nothing unless `closed`. Must be called
 * last, like `transferInTx`.
 */
export async function closeUserAccounts(
  tx: LedgerTx,
  userId: bigint,
  key: string,
): Promise<CloseOutcome> {
  invariant(tx.isTransaction, 'closeAccounts is called in a transaction');
  const held = await lockHeld(tx, userId);
  if (held.some(({ balance }) => balance.startsWith('-'))) return { outcome: 'negative' };
  if (held.some(({ state }) => state !== 0)) return { outcome: 'blocked' };
  const forfeited = held
    .map(({ asset, balance }) => ({ asset, amountUnits: tokenUnits(BigInt(balance)) }))
    .filter(({ amountUnits }) => amountUnits > 0n);
  const requests = forfeits(userId, key, forfeited);
  if (requests.length > 0) {
    const posted = await postInTransaction(tx, requests);
    if (posted.outcome !== 'done') {
      const isReused = posted.outcome === 'replayed' || posted.refusal.outcome === 'key_reused';
      invariant(isReused, 'balances read under the lock can be moved');
      return { outcome: 'key_reused' };
    }
  }
  for (const asset of TOKEN_ASSETS) {
    await updateAccountState(tx, userAccountId(userId, asset), 'closed');
  }
  return { outcome: 'closed', forfeited };
}
