import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { parseUnits } from '@athos/domain/money';
import type { Contributions } from '../../../capability.ts';
import { BadCursorError, type Ledger } from '../../../ledger/index.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { cursorText, NEWEST, parseCursor } from './history-cursor.ts';
import { findEntry } from './find-entry.ts';
import { indexHistory } from './history-index.ts';
import { readHistoryPage } from './history-page.ts';
import { readNotedPage } from './noted-page.ts';
import { readNotes, writeNote, type NoteDeps } from './notes.ts';

/** The ledger has 3 connections for walks. A filter that matches few rows reads many, so the share of one user is limited. */
const WALKS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 1 };

interface HistoryDeps extends EndpointDeps, NoteDeps, Pick<Contributions, 'historySources'> {
  readonly ledger: Ledger;
}

export function registerHistoryRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { db, ledger, log, sealed } = deps;
  const index = indexHistory(deps.historySources);
  const pageDeps = { db, ledger, index };
  const walkGate = createGate(WALKS);

  endpoint(app, deps, api.allHistory, async ({ user, query, reply }) => {
    const { limit, type, from, to, direction, cursor, label, q: text } = query;
    const filter = {
      userId: user.userId,
      limit,
      type,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      direction,
      amountMin: query.amount_min === undefined ? undefined : parseUnits(query.amount_min),
      amountMax: query.amount_max === undefined ? undefined : parseUnits(query.amount_max),
    };
    reply.header('cache-control', 'no-store');
    const caller = userCaller(user.userId);
    if (label !== undefined || text !== undefined) {
      const noted = { ...filter, label, text };
      const { items, next } = await walkGate(caller, () =>
        readNotedPage({ ...pageDeps, log, sealed }, noted, cursor),
      );
      return { history: [...items], next_cursor: next };
    }
    const position = cursor === undefined ? NEWEST : parseCursor(cursor);
    const page = await walkGate(caller, () => readHistoryPage(pageDeps, filter, position)).catch(
      (error: unknown) => {
        if (error instanceof BadCursorError)
          throw new AppError('invalid_request', { cause: error });
        throw error;
      },
    );
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

  endpoint(app, deps, api.movementNotes, async ({ user, reply }) => {
    const notes = await readNotes(deps, user.userId);
    reply.header('cache-control', 'no-store');
    return {
      notes: notes.map(({ movementId, note, labels }) => ({
        movement_id: Number(movementId),
        note,
        labels,
      })),
    };
  });

  endpoint(app, deps, api.noteMovement, async ({ user: { userId }, params, body }) => {
    const movementId = BigInt(params.id);
    if ((await findEntry(pageDeps, userId, movementId)) === undefined) {
      throw new AppError('not_found');
    }
    await writeNote(deps, userId, { movementId, ...body });
    return body;
  });
}
