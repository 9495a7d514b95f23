import { Batcher } from '../../platform/database/batcher.ts';
import type { Db } from '../../platform/database/database.ts';
import { selectOpenUserIds } from '../identity/index.ts';

/** An address never changes its holder, so it can be remembered for as long as the process lives. */
const KNOWN_COUNT_MAX = 100_000;

/** The row id behind a public address; `undefined` if no open account has it. */
export type FindRecipient = (userUuid: string) => Promise<bigint | undefined>;

/**
 * Looks an address up once, together with others asked for at the same time: a query for each send would cost more than the
 * send. The account may have been closed since; the ledger refuses to pay into it.
 */
export function createRecipients(db: Db): FindRecipient {
  const known = new Map<string, bigint>();
  const lookups = new Batcher<string, bigint | undefined>({
    async send(userUuids) {
      const userIds = await selectOpenUserIds(db, userUuids);
      if (known.size + userIds.size > KNOWN_COUNT_MAX) known.clear();
      for (const [userUuid, userId] of userIds) known.set(userUuid, userId);
      return userUuids.map((userUuid) => userIds.get(userUuid));
    },
    batchesInFlightMax: 1,
    batchSizeMax: 500,
    waitingMax: 10_000,
    // A request that waits for longer is answered `try_again` (platform/http/endpoint.ts).
    waitMaxMs: 3_500,
  });

  return (userUuid) => {
    const userId = known.get(userUuid);
    return userId === undefined ? lookups.ask(userUuid) : Promise.resolve(userId);
  };
}
