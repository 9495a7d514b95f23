import { sql, type SelectQueryBuilder } from 'kysely';
import { LIST_COUNT_MAX, type ListCount } from '@athos/contract/console/lists';
import type { Db, Tx } from '../database/database.ts';

/**
 * Counts the rows of a list's query up to `LIST_COUNT_MAX`. Beyond it the planner estimates: counting a million rows exactly
 * takes longer than reading any page of them.
 */
export async function countRows<Database, Table extends keyof Database, Row>(
  db: Db | Tx,
  list: SelectQueryBuilder<Database, Table, Row>,
): Promise<ListCount> {
  const ones = list
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'));
  const { rows } = await sql<{ value: bigint }>`
    select count(*) as value from (${ones.limit(LIST_COUNT_MAX + 1)}) counted`.execute(db);
  const value = rows[0]?.value ?? 0n;
  if (value <= LIST_COUNT_MAX) return { value: parseInt(value.toString(), 10), is_at_least: false };
  const plan = await ones.explain<PlanRow>('json');
  return { value: LIST_COUNT_MAX, is_at_least: true, estimate: estimateOf(plan) };
}

interface PlanRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
}

/** The planner's estimate, but never less than what was counted. */
const estimateOf = (plan: readonly PlanRow[]): number =>
  Math.max(LIST_COUNT_MAX, plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0);
