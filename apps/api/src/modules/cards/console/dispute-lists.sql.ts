/** The console's lists of disputes, debts and fraud warnings. Each list returns one row more than `limit` if there is a next page. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { customerUuid, type ListPage, refundingMicroAth } from './lists.sql.ts';

export interface DisputeFilters {
  readonly view?: 'answer' | 'undecided' | 'all';
  readonly phase?: string | undefined;
  readonly customer_uuid?: string | undefined;
  readonly orderId?: string;
  readonly id?: string;
}

const userOf = (db: Db | Tx, uuid: string | undefined) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where('users.uuid', '=', uuid ?? '');

/** The same condition as `canAnswer` in `present.ts`. */
const awaitsEvidence = sql<boolean>`(card_disputes.phase in ('inquiry', 'open')
  and card_disputes.status like '%needs\\_response' and card_disputes.evidence_state in ('draft', 'refused'))`;

export const disputeList = (
  db: Db | Tx,
  { view = 'all', phase, customer_uuid: uuid, orderId, id }: DisputeFilters,
) =>
  db
    .selectFrom('card_disputes')
    .$if(view === 'answer', (query) => query.where(awaitsEvidence))
    .$if(view === 'undecided', (query) =>
      query.where('card_disputes.phase', 'in', ['inquiry', 'open']),
    )
    .$if(phase !== undefined, (query) => query.where('card_disputes.phase', '=', phase as 'open'))
    .$if(uuid !== undefined, (query) => query.where('card_disputes.user_id', '=', userOf(db, uuid)))
    .$if(orderId !== undefined, (query) =>
      query.where('card_disputes.order_id', '=', orderId ?? ''),
    )
    .$if(id !== undefined, (query) => query.where('card_disputes.id', '=', id ?? ''));

const time = (text: string | undefined): RawBuilder<unknown> => sql`${text}::timestamptz`;
/** Disputes without a due date come last. */
const dueAt = sql`coalesce(card_disputes.due_at, 'infinity')`;

export const countDisputes = (db: Db | Tx, filters: DisputeFilters): Promise<ListCount> =>
  countRows(db, disputeList(db, filters));

const isByDue = ({ view }: DisputeFilters): boolean => view === 'answer' || view === 'undecided';

/** Sorted by due date, or newest first if all are listed. */
const disputeRows = (db: Db | Tx, filters: DisputeFilters) =>
  disputeList(db, filters)
    .selectAll('card_disputes')
    .select(customerUuid('card_disputes.user_id'))
    .select(
      sql<bigint>`(select coalesce(sum(amount_micro_ath - repaid_micro_ath - written_off_micro_ath), 0)::bigint
        from card_debts where dispute_id = card_disputes.id)`.as('owed_micro_ath'),
    )
    .orderBy(isByDue(filters) ? dueAt : sql`card_disputes.opened_at desc`)
    .orderBy('card_disputes.id', isByDue(filters) ? 'asc' : 'desc');

/** The statement that reads all matching disputes. */
export const compileDisputes = (db: Db, filters: DisputeFilters): CompiledQuery<ListedDispute> =>
  disputeRows(db, filters).compile();

export const selectDisputes = (db: Db | Tx, filters: DisputeFilters, { limit, after }: ListPage) =>
  disputeRows(db, filters)
    .$if(after !== undefined, (query) =>
      query.where(
        isByDue(filters)
          ? sql<boolean>`(${dueAt}, card_disputes.id) > (${time(after?.[0])}, ${after?.[1]}::uuid)`
          : sql<boolean>`(card_disputes.opened_at, card_disputes.id) < (${time(after?.[0])}, ${after?.[1]}::uuid)`,
      ),
    )
    .limit(limit + 1)
    .execute();

export type ListedDispute = Awaited<ReturnType<typeof selectDisputes>>[number];

/** The position after this dispute, in the order of `selectDisputes`. */
export const positionOfDispute = (
  view: DisputeFilters['view'],
  { id, due_at: due, opened_at: opened }: ListedDispute,
): [string, string] => [
  view === 'all' ? opened.toISOString() : (due?.toISOString() ?? 'infinity'),
  id,
];

export const selectDebts = (db: Db, disputeId: string) =>
  db
    .selectFrom('card_debts')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('id')
    .execute();

export const selectWarnings = (db: Db, orderId: string) =>
  db
    .selectFrom('card_warnings')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .execute();

/** The ledger keys of all transfers posted for a dispute: for its own moves, and for the provider's transactions. */
export async function selectLedgerKeys(
  db: Db,
  { id, order_id: orderId, provider_dispute_id: theirId }: ListedDispute,
): Promise<string[]> {
  const rows = await db
    .selectFrom('card_dispute_moves')
    .select('key')
    .where('dispute_id', '=', id)
    .union(
      db
        .selectFrom('card_bookings')
        .select('id as key')
        .where('order_id', '=', orderId)
        .where('what', '=', 'dispute')
        .where('source_id', '=', theirId),
    )
    .execute();
  return rows.map(({ key }) => key);
}

interface DebtFilters {
  readonly state?: 'open' | 'closed' | undefined;
  readonly customer_uuid?: string | undefined;
  readonly id?: string;
}

export const debtList = (db: Db, { state, customer_uuid: uuid, id }: DebtFilters) =>
  db
    .selectFrom('card_debts')
    .innerJoin('card_disputes', 'card_disputes.id', 'card_debts.dispute_id')
    .$if(state !== undefined, (query) =>
      query.where('card_debts.closed_at', state === 'open' ? 'is' : 'is not', null),
    )
    .$if(uuid !== undefined, (query) => query.where('card_debts.user_id', '=', userOf(db, uuid)))
    .$if(id !== undefined, (query) => query.where('card_debts.id', '=', id ?? ''));

/** Newest first: ids rise with time. */
export const selectListedDebts = (db: Db, filters: DebtFilters, { limit, after }: ListPage) =>
  debtList(db, filters)
    .selectAll('card_debts')
    .select(['card_disputes.order_id', customerUuid('card_debts.user_id')])
    .$if(after !== undefined, (query) => query.where('card_debts.id', '<', after?.[1] ?? ''))
    .orderBy('card_debts.id', 'desc')
    .limit(limit + 1)
    .execute();

export type ListedDebt = Awaited<ReturnType<typeof selectListedDebts>>[number];

interface WarningFilters {
  readonly view: 'open' | 'all';
}

export const warningList = (db: Db, { view }: WarningFilters) =>
  db
    .selectFrom('card_warnings')
    .$if(view === 'open', (query) => query.where('card_warnings.is_actionable', '=', true));

export const selectListedWarnings = (db: Db, filters: WarningFilters, { limit, after }: ListPage) =>
  warningList(db, filters)
    .innerJoin('card_orders', 'card_orders.id', 'card_warnings.order_id')
    .selectAll('card_warnings')
    .select([
      customerUuid('card_warnings.user_id'),
      'card_orders.total_usd_cents',
      'card_orders.amount_micro_ath',
      'card_orders.returned_micro_ath',
      refundingMicroAth('card_warnings.order_id'),
      sql<boolean>`exists (select from card_disputes where order_id = card_warnings.order_id)`.as(
        'is_disputed',
      ),
    ])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(card_warnings.created_at, card_warnings.id) < (${time(after?.[0])}, ${after?.[1]}::text)`,
      ),
    )
    .orderBy('card_warnings.created_at', 'desc')
    .orderBy('card_warnings.id', 'desc')
    .limit(limit + 1)
    .execute();

export type ListedWarning = Awaited<ReturnType<typeof selectListedWarnings>>[number];
