import type { FastifyRequest } from 'fastify';
import type { ConsoleWrite } from '@athos/contract/console/console-call';
import { appendAudit } from '../audit/audit.sql.ts';
import { dateOf } from '../clock.ts';
import { problemOf } from '../http/problem.ts';
import type { ActDeps } from './act.ts';
import { subjectIdOf } from './request-guards.ts';

interface FailedWrite {
  readonly call: ConsoleWrite;
  readonly request: FastifyRequest;
  readonly error: unknown;
}

/** Refusals that leave no audit entry: after `try_again` the act may still succeed, and the call limit must bound the audit as well. */
const SILENT_CODES = ['try_again', 'overloaded', 'too_many_requests'];

/**
 * Writes the audit entry of a refused or failed write in its own transaction. If that fails too, the answer stays the same, since
 * nothing was changed, and an alarm is raised.
 */
export async function recordFailure(
  { db, clock, log }: ActDeps,
  { call, request, error }: FailedWrite,
): Promise<void> {
  const { signedInStaff: staff } = request;
  const { code, status } = problemOf(error, request.id);
  if (staff === undefined || SILENT_CODES.includes(code)) return;
  await appendAudit(db, {
    at: dateOf(clock),
    staff,
    requestId: request.id,
    action: call.audit.action,
    subject: { type: call.audit.subject, id: subjectIdOf(request) },
    outcome: status >= 500 ? 'failed' : 'refused',
    after: { code },
  }).catch((cause: unknown) =>
    log.error(
      { alarm: 'audit_failed', requestId: request.id, code, err: cause },
      'a refused write is not in the audit',
    ),
  );
}
