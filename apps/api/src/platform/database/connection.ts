/** Shared by all lasting connections to PostgreSQL, so that none outlives a failover or reports a commit that was lost in it. */
import type pg from 'pg';

/** Early enough to keep firewalls from dropping an idle connection, and to notice that the other end is gone. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** "canceling wait for synchronous replication": committed here, but not on the standby as promised. */
export const NOT_REPLICATED = '01000';
export const READ_ONLY_TRANSACTION = '25006';

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
