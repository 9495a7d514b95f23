import type { Db } from '../../platform/database/database.ts';
import { selectOpenUserIds } from './transfers.sql.ts';

/** Addresses are for ever: who holds one never changes, only whether the ledger still pays into it. */
const KNOWN_COUNT_MAX = 100_000;
/** Addresses of one query. */
const GATHERED_COUNT_MAX = 500;

/** The row id behind a public address; `undefined` where no open account has it. */
export type FindRecipient = (userUuid: string) => Promise<bigint | undefined>;

interface Waiting {
  readonly found: Promise<bigint | undefined>;
  readonly resolve: (userId: bigint | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks an address up once. Those asked for while a query is under way share the next one: a lookup of its own for each
 * send would cost more than the send. A closed account is refused by the ledger itself.
 */
export function createRecipients(db: Db): FindRecipient {
  const known = new Map<string, bigint>();
  const waiting = new Map<string, Waiting>();
  let isAsking = false;

  function remember(userUuid: string, userId: bigint): void {
    if (known.size >= KNOWN_COUNT_MAX) known.clear();
    known.set(userUuid, userId);
  }

  async function ask(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const asked = [...waiting].slice(0, GATHERED_COUNT_MAX);
      for (const [userUuid] of asked) waiting.delete(userUuid);
      try {
        const userIds = await selectOpenUserIds(
          db,
          asked.map(([userUuid]) => userUuid),
        );
        for (const [userUuid, userId] of userIds) remember(userUuid, userId);
        for (const [userUuid, { resolve }] of asked) resolve(userIds.get(userUuid));
      } catch (error) {
        for (const [, { reject }] of asked) reject(error);
      }
    }
    isAsking = false;
  }

  return (userUuid) => {
    const userId = known.get(userUuid);
    if (userId !== undefined) return Promise.resolve(userId);
    const asked = waiting.get(userUuid);
    if (asked !== undefined) return asked.found;
    const { promise: found, resolve, reject } = Promise.withResolvers<bigint | undefined>();
    waiting.set(userUuid, { found, resolve, reject });
    if (!isAsking) void ask();
    return found;
  };
}
