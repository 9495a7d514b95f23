import { DummyDriver, PostgresDialect, Transaction } from 'kysely';
import type { Tx } from './database.ts';
import type { Tables } from './tables.ts';

/** What a transaction is made of besides its executor. It asks neither of them. */
const UNUSED = {
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('no pool')) }),
  driver: new DummyDriver(),
};

/**
 * Runs statements of a transaction without waiting for each other's answers, so that those that `send` makes at once cost one round trip.
 * Kysely would send each after the answer to the one before. The server executes them in the order in which they are made, each after the
 * one before and with a snapshot of its own: what follows a lock sees what was committed before it. After one that fails, all others fail.
 */
export const pipelined = <Result>(tx: Tx, send: (tx: Tx) => Promise<Result>): Promise<Result> => {
  const executor = tx.getExecutor();
  return executor.provideConnection((connection) =>
    send(
      new Transaction<Tables>({
        ...UNUSED,
        config: UNUSED,
        executor: executor.withConnectionProvider({
          provideConnection: (use) => use(connection),
        }),
      }),
    ),
  );
};
