/** The lists that can be exported: all rows that match their filters, with the list's own permission and masks. */
import type { ExportListName } from '@athos/contract/console/exports';
import { TOKEN_ASSETS } from '@athos/domain/money';
import {
  compileApprovals,
  countApprovals,
  type ApprovalFilters,
  type ApprovalListRow,
} from '../approvals/index.ts';
import {
  countTransfers,
  readTransfers,
  type presentTransfers,
  type TransferFilters,
} from '../bookkeeping/index.ts';
import { presentSummaries } from '../customers/index.ts';
import type { Cell } from '../../platform/files/csv.ts';
import { compileUsers, countUsers, type FoundUser, type UserFilters } from '../identity/index.ts';
import { compileEntries, countEntries, type AuditFilters, type AuditRow } from '../staff/index.ts';
import { amountCells, inChunks, worthCells, type ExportList } from './export-list.ts';
import { categories, offers } from './catalogue-lists.ts';
import { disputes, payments, refunds } from './money-lists.ts';
import { purchases, redemptions, scans } from './sales-lists.ts';

export interface CustomerExport extends UserFilters {
  readonly isContactShown: boolean;
}

const customers: ExportList<FoundUser, CustomerExport> = {
  permission: 'customers.read',
  columns: [
    'uuid',
    'status',
    'email',
    'created_at',
    'closed_at',
    ...TOKEN_ASSETS.flatMap((asset) => [`balance_${asset}`, `balance_${asset}_units`]),
    'held',
  ],
  count: countUsers,
  read: (deps, filters) => inChunks(deps, compileUsers(deps.db, filters, 'newest')),
  async cellsOf(deps, users, { isContactShown }) {
    const summaries = await presentSummaries(deps, users);
    return summaries.map((summary, index) => [
      summary.uuid,
      summary.state,
      isContactShown ? (users[index]?.email ?? null) : summary.email,
      summary.created_at,
      summary.closed_at,
      ...TOKEN_ASSETS.flatMap((asset) => amountCells(summary.balances[asset])),
      summary.held_kinds.join(' '),
    ]);
  },
};

const audit: ExportList<AuditRow, AuditFilters> = {
  permission: 'audit.read',
  columns: [
    'entry',
    'at',
    'staff_id',
    'staff',
    'organisation',
    'action',
    'subject',
    'subject_id',
  ].concat(['status', 'request_id', 'approval_id', 'ledger_key']),
  count: countEntries,
  read: (deps, filters) => inChunks(deps, compileEntries(deps.db, filters)),
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      { number: row.id.toString() },
      row.at.toISOString(),
      row.staffId,
      row.staffName,
      row.organisation,
      row.action,
      row.subjectType,
      row.subjectId,
      row.outcome,
      row.requestId,
      row.approvalId,
      row.ledgerKey,
    ]),
};

type Transfer = Awaited<ReturnType<typeof presentTransfers>>[number];
const accountCells = ({ id, code, customer_uuid: uuid }: Transfer['debit']): Cell[] => [
  code ?? uuid,
  { number: id },
];

const transfers: ExportList<Transfer, TransferFilters> = {
  permission: 'ledger.read',
  columns: [
    'transfer',
    'at',
    'kind',
    'asset',
    'amount',
    'amount_units',
    'debit',
    'debit_account_id',
    'debit_after_units',
    'credit',
    'credit_account_id',
    'credit_after_units',
  ].concat(['key', 'line', 'object', 'object_id']),
  count: countTransfers,
  read: readTransfers,
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      { number: row.id },
      row.at,
      row.kind,
      row.debit.asset,
      ...worthCells(row.amount, row.debit.asset),
      ...accountCells(row.debit),
      { number: row.debit_after },
      ...accountCells(row.credit),
      { number: row.credit_after },
      row.key,
      { number: String(row.line) },
      row.object?.type ?? null,
      row.object?.id ?? null,
    ]),
};

/** The requests of one person, or all requests. */
export type ApprovalExport = Omit<ApprovalFilters, 'view'> & {
  readonly view: 'mine' | 'all';
  readonly staffId: string;
};

/** An export does not depend on the requests that its requester may decide on, so the reader decides on none. */
const readerOf = ({ staffId }: ApprovalExport) => ({
  staff: { staffId, organisation: 'provider', walletUuid: null, email: '' } as const,
  decidable: [],
  now: new Date(0),
});

const approvals: ExportList<ApprovalListRow, ApprovalExport> = {
  permission: 'approvals.read',
  columns: [
    'request',
    'action',
    'subject',
    'subject_id',
    'status',
    'asset',
    'amount',
    'amount_units',
    'usd',
    'usd_cents',
    'requested_by_id',
    'requested_by',
  ].concat(['organisation', 'requested_at', 'expires_at', 'ended_at', 'votes', 'votes_needed']),
  count: (tx, filters) => countApprovals(tx, filters, readerOf(filters)),
  read: (deps, filters) => inChunks(deps, compileApprovals(deps.db, filters, readerOf(filters))),
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      row.id,
      row.action,
      row.subject_type,
      row.subject_id,
      row.state,
      row.asset,
      ...(row.asset === null || row.amount_units === null
        ? [null, null]
        : worthCells(row.amount_units.toString(), row.asset)),
      ...(row.usd_cents === null ? [null, null] : worthCells(row.usd_cents.toString(), 'USD')),
      row.requested_by,
      row.requesterName,
      row.organisation,
      row.requested_at.toISOString(),
      row.expires_at.toISOString(),
      row.ended_at?.toISOString() ?? null,
      { number: String(row.votesGiven) },
      { number: String(row.votes_needed) },
    ]),
};

export const EXPORT_LIST = {
  customers,
  audit,
  transfers,
  approvals,
  scans,
  purchases,
  redemptions,
  payments,
  refunds,
  disputes,
  offers,
  categories,
} as const satisfies Record<
  ExportListName,
  Pick<ExportList<never, never>, 'permission' | 'columns'>
>;
