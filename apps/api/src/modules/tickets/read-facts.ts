import type { Db } from '../../platform/database/database.ts';
import { Batcher } from '../../platform/database/batcher.ts';
import { selectAttemptFacts, type AttemptFacts, type AttemptNames } from './attempt-facts.sql.ts';

/** A request waits less than its own time limit (platform/http/endpoint.ts). */
const BATCHES = { batchesInFlightMax: 2, batchSizeMax: 32, waitingMax: 2_000, waitMaxMs: 3_500 };

/** Reads the facts of one attempt. */
export type ReadFacts = (names: AttemptNames) => Promise<AttemptFacts>;

/** Attempts that begin while the facts of others are read share the next statement. Create one per process. */
export function createReadFacts(db: Db): ReadFacts {
  const batcher = new Batcher<AttemptNames, AttemptFacts>({
    name: 'attempt facts',
    send: (attempts) => selectAttemptFacts(db, attempts),
    ...BATCHES,
  });
  return (names) => batcher.ask(names);
}
