import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { selectAuditHead } from '../../../platform/audit/audit.sql.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import { countEntries, selectEntries, selectEntry, type AuditRow } from './audit-list.sql.ts';

export interface AuditRouteDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

const presentEntry = (row: AuditRow) => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  staff: row.staffId === null ? null : { id: row.staffId, name: row.staffName ?? '' },
  organisation: row.organisation,
  action: row.action,
  subject: { type: row.subjectType, id: row.subjectId },
  outcome: row.outcome,
  request_id: row.requestId,
  approval_id: row.approvalId,
  ledger_key: row.ledgerKey,
});

export function registerAuditRoutes(app: FastifyInstance, deps: AuditRouteDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.auditEntries, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('audit', query);
    const afterSeq = after?.[0] === undefined ? undefined : BigInt(after[0]);
    return listCursors.answer('audit', query, {
      rows: await selectEntries(db, query, { limit, afterSeq }),
      count: count ?? (await countEntries(db, query)),
      positionOf: ({ id }) => [id.toString()],
      present: presentEntry,
    });
  });

  consoleEndpoint(app, deps, consoleApi.auditHead, async () => {
    const { seq, hash } = await selectAuditHead(db);
    return { entry_count: parseInt(seq.toString(), 10), hash: hash.toString('hex') };
  });

  consoleEndpoint(app, deps, consoleApi.auditEntry, async ({ params: { id } }) => {
    const row = await selectEntry(db, BigInt(id));
    if (row === undefined) throw new AppError('not_found');
    const { before = null, after = null } = JSON.parse(row.details ?? '{}') as {
      readonly before?: unknown;
      readonly after?: unknown;
    };
    return {
      ...presentEntry(row),
      session_id: row.sessionId,
      before,
      after,
      is_emptied: row.details === null,
      digest: row.digest.toString('hex'),
      hash: row.hash.toString('hex'),
    };
  });
}
