/**
 * Replaces `platform/database/early-commit.ts`. The ledger commits early with barriers, or in its turn waits for its commits and sends none.
 * Both are measured in one process, because two processes of one build differ by more than a barrier costs.
 */
import { passBarrier as passRealBarrier } from '../../apps/api/src/platform/database/early-commit.ts';
import type { LastingConnection } from '../../apps/api/src/platform/database/lasting-connection.ts';
import { addToggle } from './take-turns.ts';

export * from '../../apps/api/src/platform/database/early-commit.ts';

let isEarly = true;
addToggle({ switchTo: (isOn) => (isEarly = isOn) });

/** The connections whose commits wait. Each opens with `EARLY_OPTIONS`. */
const waiting = new WeakSet<LastingConnection>();

export async function passBarrier(
  connection: LastingConnection,
  deadlineMs: number,
  executed: Promise<unknown>,
): Promise<number> {
  if (isEarly === waiting.has(connection)) {
    if (isEarly) waiting.delete(connection);
    else waiting.add(connection);
    const text = `set synchronous_commit = ${isEarly ? 'off' : 'on'}`;
    await connection.query({ text }, deadlineMs);
  }
  return isEarly ? passRealBarrier(connection, deadlineMs, executed) : 0;
}
