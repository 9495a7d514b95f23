import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import type { PrivateFiles } from '../../platform/files/private-files.ts';
import type { PerformDeps } from '../approvals/index.ts';
import { selectFoundUser } from '../identity/index.ts';
import {
  askForContacts,
  countAsked,
  listAsked,
  requestExport,
  requireGrants,
  requireReadable,
  takesVote,
} from './request-export.ts';
import {
  countExports,
  selectExport,
  selectExports,
  takeLink,
  updateLink,
  type ExportRow,
} from './exports.sql.ts';

export interface ExportRouteDeps extends ConsoleDeps, PerformDeps {
  readonly listCursors: ListCursors;
  readonly exportFiles: PrivateFiles;
}

const LINK_MS = 60_000;
const LINK_BYTES = 32;

const countNumber = (count: bigint | null): number | null =>
  count === null ? null : parseInt(count.toString(), 10);

const presentExport = (row: ExportRow) => ({
  id: row.id,
  content: row.content,
  state: row.state,
  created_at: row.createdAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
  rows_done: countNumber(row.rowsDone) ?? 0,
  rows_total: countNumber(row.rowsTotal),
  byte_count: countNumber(row.byteCount),
});

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

function registerRequests(app: FastifyInstance, deps: ExportRouteDeps): void {
  consoleEndpoint(app, deps, consoleApi.exportList, async (act) => {
    const { tx, body, staff, record } = act;
    const asked = await listAsked(tx, body, staff);
    requireGrants(staff, asked);
    const count = await countAsked(deps, tx, asked);
    if (await takesVote(deps, act, { asked, count })) {
      if (body.list !== 'customers' || body.reason === undefined) {
        throw new AppError('approval_required', { detail: 'Give a reason, for whoever decides.' });
      }
      return askForContacts(deps, act, { asked, reason: body.reason });
    }
    const row = await requestExport(deps, tx, { ...asked, staffId: staff.staffId, count });
    await record({ subjectId: row.id, after: { list: asked.list, filters: asked.filters } });
    return { outcome: 'done', ...presentExport(row) };
  });

  consoleEndpoint(app, deps, consoleApi.exportPerson, async ({ tx, params, staff, record }) => {
    const user = await selectFoundUser(tx, params.uuid);
    if (user === undefined || user.closedAt !== null) throw new AppError('not_found');
    requireOthersAccount(staff, user);
    const person = {
      list: 'person',
      filters: {},
      staffId: staff.staffId,
      userId: user.id,
    } as const;
    const row = await requestExport(deps, tx, person);
    await record({ subjectId: user.uuid, after: { export: row.id } });
    return presentExport(row);
  });
}

export function registerExportRoutes(app: FastifyInstance, deps: ExportRouteDeps): void {
  const { db, clock, listCursors, exportFiles } = deps;
  registerRequests(app, deps);

  consoleEndpoint(app, deps, consoleApi.exports, async ({ query, staff }) => {
    const { staffId } = staff;
    const list = `exports ${staffId}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const [rows, total] = await Promise.all([
      selectExports(db, staffId, { limit, beforeId: after?.[0] }),
      count ?? countExports(db, staffId),
    ]);
    return listCursors.answer(list, query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id],
      present: presentExport,
    });
  });

  consoleEndpoint(app, deps, consoleApi.export, async ({ params, staff }) => {
    const row = await selectExport(db, staff.staffId, params.id);
    if (row === undefined) throw new AppError('not_found');
    return presentExport(row);
  });

  consoleEndpoint(app, deps, consoleApi.exportLink, async ({ tx, params, staff, record }) => {
    const now = dateOf(clock);
    const code = randomBytes(LINK_BYTES).toString('base64url');
    const link = { hash: hashOf(code), expiresAt: new Date(now.getTime() + LINK_MS) };
    const own = { staffId: staff.staffId, id: params.id, now };
    const linked = await updateLink(tx, own, link);
    if (linked === undefined) throw new AppError('not_found');
    await requireReadable(tx, staff, linked);
    await record({ subjectId: params.id });
    return {
      path: `${API_PREFIX}/admin/exports/${params.id}/file?code=${code}`,
      expires_at: link.expiresAt.toISOString(),
    };
  });

  consoleEndpoint(app, deps, consoleApi.exportFile, async ({ params, query, staff, reply }) => {
    const own = { staffId: staff.staffId, id: params.id, now: dateOf(clock) };
    const taken = await takeLink(db, own, hashOf(query.code));
    if (taken === undefined) throw new AppError('not_found');
    await requireReadable(db, staff, taken);
    const file = await exportFiles.read(params.id);
    if (file === undefined) throw new AppError('not_found');
    const isZip = taken.content === 'person';
    const name = `${taken.content}-${taken.createdAt.toISOString().slice(0, 10)}.${isZip ? 'zip' : 'csv'}`;
    reply
      .type(isZip ? 'application/zip' : 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`);
    // A stream is sent unchanged, once the audit entry is written.
    return file as unknown as string;
  });
}
