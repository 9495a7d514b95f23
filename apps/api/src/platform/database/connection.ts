/** Shared by all lasting connections to PostgreSQL, so that none outlives a failover or reports a commit that was lost in it. */
import type pg from 'pg';

/** Early enough to keep firewalls from dropping an idle connection, and to notice that the other end is gone. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** "canceling wait for synchronous replication": committed here, but not on the standby as promised. */
export const NOT_REPLICATED = '01000';
export const READ_ONLY_TRANSACTION = '25006';
/** SQLSTATEs of class 08, "connection", and the codes of the operating system. */
export const CONNECTION_CODES = /^(08|E[A-Z]+$)/;
/** The SQLSTATEs of a server that stops, starts, or is no primary any more. */
export const SERVER_LOST_SQLSTATES: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  READ_ONLY_TRANSACTION,
]);

/** The SQLSTATE of an error, or another code. */
export const sqlstateOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The driver's words for a loss that no code names. "Connection terminated due to connection timeout" means a wait for a connection. */
const DRIVER_LOSSES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  // A statement after the loss, as the next one of a transaction.
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

/**
 * Whether an error comes from a connection to the database that was lost. The next connection may be to another server. An error that was
 * caused by one counts too, unless it is one that a connection to any other service could cause.
 */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONNECTION_CODES.test(sqlstateOf(error) ?? '') || isLostServer(error);
}

const isLostServer = (error: unknown): boolean =>
  error instanceof Error &&
  (SERVER_LOST_SQLSTATES.has(sqlstateOf(error) ?? '') ||
    DRIVER_LOSSES.has(error.message) ||
    isLostServer(error.cause));

/** A fault that the server did not report as an error. Like its errors, it has an SQLSTATE, by which callers may try again. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Calls `onFault` when the server stops waiting for its standby. It is then unknown whether the commit will last. */
export function watchReplication(client: pg.ClientBase, onFault: (error: Error) => void): void {
  client.on('notice', ({ code, message }) => {
    if (code === NOT_REPLICATED)
      onFault(new ConnectionFault(code, message ?? 'the commit was not replicated'));
  });
}

/** The parts of a client that its types leave out. */
interface Wire {
  readonly connection: {
    emit(event: 'error', error: Error): void;
    readonly stream: { destroy(): void };
  };
}
const wireOf = (client: pg.ClientBase): Wire['connection'] =>
  (client as unknown as Wire).connection;

/** Closes the socket. `end()` would wait for a server that may never respond. */
export const destroySocket = (client: pg.ClientBase): void => wireOf(client).stream.destroy();

/**
 * Rejects the queries of the connection, even if the server's confirmation is in the packet that is being read, and removes the
 * connection from its pool.
 */
export function failConnection(client: pg.ClientBase, error: Error): void {
  wireOf(client).emit('error', error);
}
