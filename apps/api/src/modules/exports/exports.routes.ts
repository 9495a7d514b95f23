import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { may, requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { PrivateFiles } from '../../platform/files/private-files.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { countUsers, selectFoundUser } from '../identity/index.ts';
import { countEntries } from '../staff/index.ts';
import {
  countExports,
  insertExport,
  selectExport,
  selectExports,
  takeLink,
  updateLink,
  type ExportRow,
} from './exports.sql.ts';
import { EXPORT_LIST } from './lists.ts';

export interface ExportRouteDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
  readonly exportFiles: PrivateFiles;
}

const LINK_MS = 60_000;
const LINK_BYTES = 32;
/** Above it, addresses of customers leave the programme only if a second person agrees. */
const CONTACTS_MAX = 1_000;

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

type Asked = Pick<Parameters<typeof insertExport>[1], 'content' | 'filters'> & {
  readonly user_id?: bigint;
  readonly rows_total?: bigint | null;
};

async function requestExport(
  { clock }: ExportRouteDeps,
  tx: Tx,
  staffId: string,
  { user_id, rows_total = null, ...asked }: Asked,
): Promise<ExportRow> {
  const at = dateOf(clock);
  const id = uuidv7(at.getTime(), (bytes) => randomFillSync(bytes));
  const row = await insertExport(tx, {
    id,
    staff_id: staffId,
    user_id: user_id ?? null,
    rows_total,
    created_at: at,
    ...asked,
  });
  await enqueueJob(tx, 'export_run', { id }, { attemptCountMax: 1 });
  return row;
}

function registerRequests(app: FastifyInstance, deps: ExportRouteDeps): void {
  consoleEndpoint(app, deps, consoleApi.exportList, async ({ tx, body, staff, record }) => {
    const { permission } = EXPORT_LIST[body.list];
    if (!may(staff, permission))
      throw new AppError('permission_missing', { extra: { permission } });
    const isContactShown = body.list === 'customers' && body.with_contact;
    const count =
      body.list === 'customers'
        ? await countUsers(tx, body.filters)
        : await countEntries(tx, body.filters);
    if (isContactShown && !may(staff, 'customers.contact')) {
      throw new AppError('permission_missing', { extra: { permission: 'customers.contact' } });
    }
    if (isContactShown && count.value > CONTACTS_MAX) {
      throw new AppError('approval_required', {
        detail: 'This names more than 1,000 people. Choose fewer, or leave the addresses masked.',
      });
    }
    const filters = { ...body.filters, ...(isContactShown && { isContactShown }) };
    const row = await requestExport(deps, tx, staff.staffId, {
      content: body.list,
      filters: JSON.stringify(filters),
      rows_total: count.is_at_least ? null : BigInt(count.value),
    });
    await record({ subjectId: row.id, after: { list: body.list, filters } });
    return presentExport(row);
  });

  consoleEndpoint(app, deps, consoleApi.exportPerson, async ({ tx, params, staff, record }) => {
    const user = await selectFoundUser(tx, params.uuid);
    if (user === undefined || user.closedAt !== null) throw new AppError('not_found');
    requireOthersAccount(staff, user);
    const row = await requestExport(deps, tx, staff.staffId, {
      content: 'person',
      filters: '{}',
      user_id: user.id,
    });
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
    return listCursors.answer(list, query, {
      rows: await selectExports(db, staffId, { limit, beforeId: after?.[0] }),
      count: count ?? (await countExports(db, staffId)),
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
    if (!(await updateLink(tx, own, link))) throw new AppError('not_found');
    await record({ subjectId: params.id });
    return {
      path: `${API_PREFIX}/admin/exports/${params.id}/file?code=${code}`,
      expires_at: link.expiresAt.toISOString(),
    };
  });

  consoleEndpoint(app, deps, consoleApi.exportFile, async ({ params, query, staff, reply }) => {
    const own = { staffId: staff.staffId, id: params.id, now: dateOf(clock) };
    const taken = await takeLink(db, own, hashOf(query.code));
    const file = taken && (await exportFiles.read(params.id));
    if (taken === undefined || file === undefined) throw new AppError('not_found');
    const isZip = taken.content === 'person';
    const name = `${taken.content}-${taken.createdAt.toISOString().slice(0, 10)}.${isZip ? 'zip' : 'csv'}`;
    reply
      .type(isZip ? 'application/zip' : 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`);
    // A stream is sent as it is, once the entry of the audit is written.
    return file as unknown as string;
  });
}
