import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { selectAuditHead } from '../../../platform/audit/audit.sql.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { countEntries, selectEntries, selectEntry, type AuditRow } from './audit-list.sql.ts';
import {
  insertVerification,
  isVerifying,
  selectVerification,
  selectVerifications,
  type VerificationRow,
} from './verifications.sql.ts';

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

/** After this time, an unfinished verification no longer prevents another request. */
const VERIFIED_WITHIN_MS = 10 * 60_000;
/** Enough entries to see whether the audit is verified regularly. */
const VERIFICATIONS_SHOWN = 5;

const count = (value: bigint | null): number | null =>
  value === null ? null : parseInt(value.toString(), 10);

const presentVerification = (row: VerificationRow) => ({
  id: row.id,
  requested_at: row.requestedAt.toISOString(),
  known_head: row.knownHead,
  finished_at: row.finishedAt?.toISOString() ?? null,
  entry_count: count(row.entryCount),
  emptied_count: count(row.emptiedCount),
  head: row.head,
  fault: row.fault,
});

async function requireVerification(db: Db | Tx, id: string): Promise<VerificationRow> {
  const row = await selectVerification(db, id);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

export function registerAuditRoutes(app: FastifyInstance, deps: AuditRouteDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.auditEntries, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('audit', query);
    const afterSeq = after?.[0] === undefined ? undefined : BigInt(after[0]);
    const [rows, total] = await Promise.all([
      selectEntries(db, query, { limit, afterSeq }),
      count ?? countEntries(db, query),
    ]);
    return listCursors.answer('audit', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentEntry,
    });
  });

  consoleEndpoint(app, deps, consoleApi.auditHead, async () => {
    const { seq, hash } = await selectAuditHead(db);
    const verifications = await selectVerifications(db, VERIFICATIONS_SHOWN);
    return {
      entry_count: parseInt(seq.toString(), 10),
      hash: hash.toString('hex'),
      verifications: verifications.map(presentVerification),
    };
  });

  consoleEndpoint(app, deps, consoleApi.verifyAudit, async ({ body, staff, tx, record }) => {
    const id = randomUUID();
    const { head = null } = body;
    const now = dateOf(deps.clock);
    if (await isVerifying(tx, new Date(now.getTime() - VERIFIED_WITHIN_MS))) {
      throw new AppError('state_changed', { detail: 'A verification is running.' });
    }
    const asked = { requested_at: now, requested_by: staff.staffId };
    await insertVerification(tx, { id, ...asked, known_head: head });
    await enqueueJob(tx, 'audit_verify', { id }, { attemptCountMax: 3 });
    await record({ subjectId: id, after: { head } });
    return presentVerification(await requireVerification(tx, id));
  });

  consoleEndpoint(app, deps, consoleApi.auditVerification, async ({ params: { id } }) =>
    presentVerification(await requireVerification(db, id)),
  );

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
