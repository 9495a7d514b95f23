import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { TOKEN_ASSETS } from '@athos/domain/money';
import { BadCursorError, userAccountId, type Ledger } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { createFairGate } from '../../../platform/limits/gate.ts';
import { cursorText, NEWEST, parseCursor } from './history-cursor.ts';
import { readHistoryPage, typeOfTransfer, type HistoryEntry } from './history-page.ts';
import { selectPayments } from './history.sql.ts';
import { presentEntries } from './present-entries.ts';

/** As many as the ledger has connections for walks. A filter that finds little looks at much, and one user may ask often. */
const WALKS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, waitingOfOneMax: 20 };

interface HistoryDeps extends EndpointDeps {
  readonly db: Db;
  readonly ledger: Ledger;
}

async function findEntry(
  { db, ledger }: HistoryDeps,
  userId: bigint,
  id: bigint,
): Promise<HistoryEntry | undefined> {
  const transfer = await ledger.transferById(id);
  if (transfer !== undefined) {
    const ownAccounts: bigint[] = TOKEN_ASSETS.map((asset) => userAccountId(userId, asset));
    const isOwn =
      ownAccounts.includes(transfer.debitAccountId) ||
      ownAccounts.includes(transfer.creditAccountId);
    return isOwn && typeOfTransfer(transfer, userId) !== undefined ? { id, transfer } : undefined;
  }
  const [canceled] = await selectPayments(db, userId, [id]);
  return canceled === undefined ? undefined : { id, canceled };
}

export function registerHistoryRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { db } = deps;
  const walking = createFairGate(WALKS);

  endpoint(app, deps, api.allHistory, async ({ user, query, reply }) => {
    const { limit, type, from, to, cursor } = query;
    const filter = {
      userId: user.userId,
      limit,
      type,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const position = cursor === undefined ? NEWEST : parseCursor(cursor);
    const page = await walking(user.userId, () => readHistoryPage(deps, filter, position)).catch(
      (error: unknown) => {
        if (error instanceof BadCursorError)
          throw new AppError('invalid_request', { cause: error });
        throw error;
      },
    );
    reply.header('cache-control', 'no-store');
    return {
      history: await presentEntries(db, user.userId, page.entries),
      next_cursor: page.next === undefined ? null : cursorText(page.next),
    };
  });

  endpoint(app, deps, api.historyItem, async ({ user, params, reply }) => {
    const entry = await findEntry(deps, user.userId, BigInt(params.id));
    const [item] = entry === undefined ? [] : await presentEntries(db, user.userId, [entry]);
    if (item === undefined) throw new AppError('not_found');
    reply.header('cache-control', 'no-store');
    return item;
  });
}
