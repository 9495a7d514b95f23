/** Who has sent to whom, according to the journal. */
import { sql, type QueryExecutorProvider } from 'kysely';
import { userIdOfAccount, type LedgerAccountId } from './accounts.ts';
import { TransferKind } from './transfer.ts';

interface SendsOfPair {
  readonly senderId: bigint;
  readonly recipientId: bigint;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
}

interface SendsAfter {
  readonly pairs: readonly SendsOfPair[];
  /** The last transfer that was read; `undefined` if there was none. */
  readonly lastId: bigint | undefined;
}

interface PairRow {
  readonly last_id: string;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
  readonly count: number;
}

/**
 * Adds up the sends among the transfers after a given one, at most `rowCountMax` transfers of any kind. Ids are drawn under the ledger's
 * lock, so no transfer can appear later with an id below one that was read.
 */
export async function selectSendsAfter(
  executor: QueryExecutorProvider,
  { afterId, rowCountMax }: { readonly afterId: bigint; readonly rowCountMax: number },
): Promise<SendsAfter> {
  const { rows } = await sql<PairRow>`
    with moved as materialized (
      select id, at, kind, debit_account_id, credit_account_id
        from ledger_transfers where id > ${afterId.toString()}::bigint order by id limit ${rowCountMax}
    ), place as (select max(id) as last_id from moved)
    select place.last_id::text, debit_account_id::text as debit, credit_account_id::text as credit,
           min(at) as first_at, max(at) as last_at, count(id)::int as count
      from place left join moved on kind = ${TransferKind.Send}
     where place.last_id is not null
     group by place.last_id, debit_account_id, credit_account_id`.execute(executor);
  const lastId = rows[0]?.last_id;
  return {
    lastId: lastId === undefined ? undefined : BigInt(lastId),
    pairs: rows.flatMap(({ debit, credit, first_at: firstAt, last_at: lastAt, count }) => {
      if (debit === null || credit === null || firstAt === null || lastAt === null) return [];
      const senderId = userIdOfAccount(BigInt(debit) as LedgerAccountId);
      const recipientId = userIdOfAccount(BigInt(credit) as LedgerAccountId);
      if (senderId === undefined || recipientId === undefined) return [];
      return [{ senderId, recipientId, firstAt, lastAt, count }];
    }),
  };
}
