/** PostgreSQL could not be started or reached. The message is one sentence that tells the operator what to do. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}
