/**
 * Replaces `platform/database/early-commit.ts`. The ledger commits early with barriers; after SIGUSR2 it waits for its commits and sends no
 * barriers, and after another one it is as before. Both are measured in one process, because two processes of one build differ by more
 * than a barrier costs.
 */
import { passBarrier as passRealBarrier } from '../../apps/api/src/platform/database/early-commit.ts';
import type { LastingConnection } from '../../apps/api/src/platform/database/lasting-connection.ts';

export * from '../../apps/api/src/platform/database/early-commit.ts';

let isEarly = true;
process.on('SIGUSR2', () => {
  isEarly = !isEarly;
});

/** The connections whose commits wait. Each opens with `EARLY_OPTIONS`. */
const waiting = new WeakSet<LastingConnection>();

export async function passBarrier(
  connection: LastingConnection,
  deadlineMs: number,
): Promise<void> {
  if (isEarly === waiting.has(connection)) {
    if (isEarly) waiting.delete(connection);
    else waiting.add(connection);
    const text = `set synchronous_commit = ${isEarly ? 'off' : 'on'}`;
    await connection.query({ text }, deadlineMs);
  }
  if (isEarly) await passRealBarrier(connection, deadlineMs);
}
