/**
 * Replaces `platform/database/early-commit.ts` in the control: every commit waits, and there are no barriers. A redemption sends its
 * notification inside the transaction, as it did before its commit was early.
 */
import { CompiledQuery, PostgresDialect, sql } from 'kysely';
import type * as early from '../../apps/api/src/platform/database/early-commit.ts';

type Early = typeof early;

const NOTIFY = CompiledQuery.raw(`select pg_notify('redeemed_before', '')`);

export const EARLY_OPTIONS: string = '-c synchronous_commit=on';

export const earlyCommit: Early['earlyCommit'] = sql`null`;

export const commitEarly: Early['commitEarly'] = () => Promise.resolve();

export const passBarrier: Early['passBarrier'] = () => Promise.resolve(0);

export const executeEarly: Early['executeEarly'] = (db, statement) =>
  db.getExecutor().provideConnection(async (connection) => {
    const sent = [CompiledQuery.raw('begin'), statement, NOTIFY, CompiledQuery.raw('commit')].map(
      (query) => connection.executeQuery<never>(query),
    );
    await Promise.all(sent);
    return (await sent[1])?.rows ?? [];
  });

export { PostgresDialect as EarlyCommitDialect };
