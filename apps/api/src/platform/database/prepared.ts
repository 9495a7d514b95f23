import type { CompiledQuery, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely';

/** Gives the statement a name. Kysely passes the text to pg unchanged, and pg accepts a named statement in its place. */
export const named = <Row>(name: string, query: CompiledQuery<Row>): CompiledQuery<Row> => ({
  ...query,
  sql: { name, text: query.sql } as unknown as string,
});

/**
 * A statement that PostgreSQL plans once per connection instead of on every execution; planning a join of five tables costs
 * more than running it. The text must be constant, since pg refuses two texts under one name.
 */
export const prepared = <Row>(name: string, statement: RawBuilder<Row>) => ({
  compile: (db: QueryExecutorProvider): CompiledQuery<Row> => named(name, statement.compile(db)),
  execute(db: QueryExecutorProvider): Promise<QueryResult<Row>> {
    return db.getExecutor().executeQuery(this.compile(db));
  },
});
