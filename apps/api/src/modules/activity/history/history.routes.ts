import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Contributions } from '../../../capability.ts';
import { BadCursorError, type Ledger } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { cursorText, NEWEST, parseCursor } from './history-cursor.ts';
import { indexHistory, type HistoryEntry } from './history-index.ts';
import { readHistoryPage, type PageDeps } from './history-page.ts';
import { isOwn } from './own-transfer.ts';

/** The ledger has 3 connections for walks. A filter that matches little reads much, so the share of one user is limited. */
const WALKS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 1 };

interface HistoryDeps extends EndpointDeps, Pick<Contributions, 'historySources'> {
  readonly db: Db;
  readonly ledger: Ledger;
}

async function findEntry(
  { db, ledger, index }: PageDeps,
  userId: bigint,
  id: bigint,
): Promise<HistoryEntry | undefined> {
  const transfer = await ledger.transferById(id);
  if (transfer !== undefined) {
    return isOwn(transfer, userId, index) ? { id, transfer } : undefined;
  }
  for (const lines of index.unposted) {
    const item = await lines.find(db, userId, id);
    if (item !== undefined) return { id, item };
  }
  return undefined;
}

export function registerHistoryRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { db, ledger } = deps;
  const index = indexHistory(deps.historySources);
  const pageDeps = { db, ledger, index };
  const walkGate = createGate(WALKS);

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
    const page = await walkGate(userCaller(user.userId), () =>
      readHistoryPage(pageDeps, filter, position),
    ).catch((error: unknown) => {
      if (error instanceof BadCursorError) throw new AppError('invalid_request', { cause: error });
      throw error;
    });
    reply.header('cache-control', 'no-store');
    return {
      history: await index.present(db, user.userId, page.entries),
      next_cursor: page.next === undefined ? null : cursorText(page.next),
    };
  });

  endpoint(app, deps, api.historyItem, async ({ user, params, reply }) => {
    const entry = await findEntry(pageDeps, user.userId, BigInt(params.id));
    const [item] = entry === undefined ? [] : await index.present(db, user.userId, [entry]);
    if (item === undefined) throw new AppError('not_found');
    reply.header('cache-control', 'no-store');
    return item;
  });
}
