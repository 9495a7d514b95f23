/** A database of its own for tests of query plans, which need more rows than other tests. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db, Tables } from '../src/platform/database/database.ts';
import { copyTemplate } from './test-database.ts';

/** A node of a plan, as `explain (format json)` gives it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

interface PlannedDatabase {
  readonly db: Db;
  /** The nodes of the plan of the last statement that `ask` runs on `db`. */
  readonly planOf: (ask: () => Promise<unknown>) => Promise<PlanNode[]>;
  readonly close: () => Promise<void>;
}

/** The caller fills the tables and vacuums them. */
export async function openPlannedDatabase(): Promise<PlannedDatabase> {
  const database = await copyTemplate();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql, parameters } }) => void asked.push({ sql, parameters }),
  });
  return {
    db,
    async planOf(ask) {
      await ask();
      const { sql, parameters } = asked.at(-1) ?? { sql: '', parameters: [] };
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (format json) ${sql}`,
        [...parameters],
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan === undefined) throw new Error('no plan');
      return nodesOf(plan);
    },
    async close() {
      await db.destroy();
      await database.drop();
    },
  };
}
