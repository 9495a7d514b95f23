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
 * one before and with a snapshot of its own: what follows a lock sees what was committed before it.
 *
 * Returns or throws when all have been answered: none may follow the end of the transaction. After a statement that fails, PostgreSQL refuses
 * the others; its error is thrown and not theirs. `send` uses its own argument and not `tx`, which waits until the pipeline has ended.
 */
export async function pipelined<Result>(
  tx: Tx,
  send: (pipe: Tx) => Promise<Result>,
): Promise<Result> {
  const executor = tx.getExecutor();
  return executor.provideConnection(async (connection) => {
    const sent: Promise<unknown>[] = [];
    let isOver = false;
    const pipe = new Transaction<Tables>({
      ...UNUSED,
      config: UNUSED,
      executor: executor.withConnectionProvider({
        provideConnection(use) {
          if (isOver) return Promise.reject(new Error('the pipeline has ended'));
          const answered = use(connection);
          sent.push(answered);
          return answered;
        },
      }),
    });
    const [result] = await Promise.allSettled([(async () => send(pipe))()]);
    isOver = true;
    const answers = await Promise.allSettled(sent);
    const failed = answers.find(({ status }) => status === 'rejected') ?? result;
    if (failed.status === 'rejected') throw failed.reason;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
