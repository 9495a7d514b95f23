/** PostgreSQL could not be started or found. The message is one sentence that an operator can act on. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}
