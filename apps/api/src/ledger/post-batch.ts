/** The statement that posts a batch: how transfers are written into its arguments, and outcomes read from its result. */
import { units } from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import type { BlockedReason, GroupTransferRequest, TransferOutcome } from './transfer.ts';

/** Arrays are sent in PostgreSQL's text format, which it parses in C. */
export const POST_BATCH_SQL =
  'select codes::text, ids::text, debit_afters::text, credit_afters::text from post_batch(' +
  '$1::bigint[], $2::int[], $3::int[], $4::bigint[], $5::uuid[], $6::smallint[], $7::smallint[], $8::boolean)';

/** An empty batch plans the statements of post_batch (migration 0136). On a new connection that takes 25 ms, without the ledger's lock. */
export const WARM_UP = `select from post_batch('{}', '{}', '{}', '{}', '{}', '{}', '{}', true)`;

export type BatchValues = [string, string, string, string, string, string, string, boolean];
/** The result columns: codes, transfer ids, debit balances after, credit balances after. */
export type BatchRow = [string, string, string, string];

export function encodeBatch(
  entries: readonly GroupTransferRequest[],
  isAllOrNone: boolean,
): BatchValues {
  const distinct = new Set<bigint>();
  for (const { debitAccountId, creditAccountId } of entries) {
    distinct.add(debitAccountId).add(creditAccountId);
  }
  const accounts = BigInt64Array.from(distinct).sort();
  const positions = new Map<bigint, number>();
  for (let index = 0; index < accounts.length; index++) {
    positions.set(accounts[index] ?? 0n, index + 1);
  }
  let [debits, credits, amounts, keys, lines, kinds] = ['', '', '', '', '', ''];
  let separator = '{';
  for (const entry of entries) {
    debits += separator + positions.get(entry.debitAccountId);
    credits += separator + positions.get(entry.creditAccountId);
    amounts += separator + entry.amountUnits;
    keys += separator + entry.key;
    lines += separator + entry.line;
    kinds += separator + entry.kind;
    separator = ',';
  }
  return [
    `{${accounts.join(',')}}`,
    `${debits}}`,
    `${credits}}`,
    `${amounts}}`,
    `${keys}}`,
    `${lines}}`,
    `${kinds}}`,
    isAllOrNone,
  ];
}

const elements = (array: string | undefined): string[] => array?.slice(1, -1).split(',') ?? [];

/** The outcomes in the order of the entries, from the codes in migration 0022. Throws unless there are `count` of them. */
export function decodeBatch(row: BatchRow | undefined, count: number): TransferOutcome[] {
  const [codes, ids, debitAfters, creditAfters] = (row ?? []).map(elements);
  invariant(codes?.length === count, 'post_batch returns a code for every transfer');
  return codes.map((code, index) => {
    const refusal = REFUSALS[code];
    if (refusal !== undefined) return refusal;
    const transferId = BigInt(ids?.[index] ?? '0');
    invariant((code === DONE || code === REPLAYED) && transferId > 0n, `post_batch code ${code}`);
    return {
      outcome: code === DONE ? 'done' : 'replayed',
      transferId,
      debitAfterUnits: units(BigInt(debitAfters?.[index] ?? '')),
      creditAfterUnits: units(BigInt(creditAfters?.[index] ?? '')),
    };
  });
}

const DONE = '0';
const REPLAYED = '5';
const blocked = (reason: BlockedReason): TransferOutcome => ({ outcome: 'blocked', reason });

const REFUSALS: Readonly<Record<string, TransferOutcome>> = {
  1: { outcome: 'insufficient' },
  2: { outcome: 'unknown_account' },
  3: { outcome: 'same_account' },
  4: { outcome: 'bad_amount' },
  6: { outcome: 'key_reused' },
  7: blocked('restricted'),
  8: blocked('frozen'),
  9: blocked('closed'),
  11: { outcome: 'held' },
  12: { outcome: 'receiver_held' },
};
