import type { QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely';

/**
 * A statement that PostgreSQL plans once for each connection instead of at each execution; planning a join of five tables
 * costs more than running it. Only for a text that is always the same: pg refuses two texts under one name.
 */
export const prepared = <Row>(name: string, statement: RawBuilder<Row>) => ({
  execute(db: QueryExecutorProvider): Promise<QueryResult<Row>> {
    const compiled = statement.compile(db);
    // Kysely passes its text to pg unread, and pg accepts a named statement in that place.
    const named = { name, text: compiled.sql } as unknown as string;
    return db.getExecutor().executeQuery({ ...compiled, sql: named });
  },
});
