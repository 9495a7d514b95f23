import type pg from 'pg';

const NAMED_STATEMENT = /^\s*\/\* prepared: (\w+) \*\//;

/**
 * Has a statement that begins with `/* prepared: its_name *\/` planned once for each connection instead of at each
 * execution, which for a join of five tables costs PostgreSQL more than the join. Only for texts that are always the same;
 * two texts of one name are refused by pg.
 */
export function prepareNamedStatements(client: pg.PoolClient): void {
  const driver = Object.getPrototypeOf(client) as { query(...parts: unknown[]): unknown };
  // Looked up at each call: who watches the driver's queries sees these too.
  const query = (...parts: unknown[]): unknown => driver.query.apply(client, parts);
  Object.assign(client, {
    query(text: unknown, ...rest: unknown[]): unknown {
      const name = typeof text === 'string' ? NAMED_STATEMENT.exec(text)?.[1] : undefined;
      if (name === undefined) return query(text, ...rest);
      const [values] = rest;
      return query({ name, text, values });
    },
  });
}
