import type { CompiledQuery, QueryExecutorProvider, QueryResult } from 'kysely';

/** Gives the statement a name. Kysely passes the text to pg unchanged, and pg accepts a named statement in its place. */
export const named = <Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> => ({
  ...query,
  sql: { name, text: query.sql } as unknown as string,
});

/** A raw statement, or one that Kysely builds. */
interface Statement<Row> {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>;
}

/**
 * A statement that PostgreSQL plans once per connection instead of on every execution; planning a join of five tables costs
 * more than running it. The text must be constant, since pg refuses two texts under one name, and name its columns: PostgreSQL
 * refuses a plan for `select *` once a migration has added a column.
 */
export const prepared = <Row>(name: string, statement: Statement<Row>) => ({
  compile: (db: QueryExecutorProvider): CompiledQuery<Row> => named(name, statement.compile(db)),
  execute(db: QueryExecutorProvider): Promise<QueryResult<Row>> {
    return db.getExecutor().executeQuery(this.compile(db));
  },
});
