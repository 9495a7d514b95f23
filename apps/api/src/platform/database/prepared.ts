import type { QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely';

/**
 * A statement that PostgreSQL plans once per connection instead of on every execution; planning a join of five tables costs
 * more than running it. The text must be constant, since pg refuses two texts under one name.
 */
export const prepared = <Row>(name: string, statement: RawBuilder<Row>) => ({
  execute(db: QueryExecutorProvider): Promise<QueryResult<Row>> {
    const compiled = statement.compile(db);
    // Kysely passes the text to pg unchanged, and pg accepts a named statement in its place.
    const named = { name, text: compiled.sql } as unknown as string;
    return db.getExecutor().executeQuery({ ...compiled, sql: named });
  },
});
