/** The lists that can be exported: all rows of their filters, with the permission and the masks that the list itself has. */
import type { CompiledQuery } from 'kysely';
import type { ExportListName } from '@athos/contract/console/exports';
import type { Permission } from '@athos/contract/console/permissions';
import { exactAthText, TOKEN_ASSETS, parseUnits } from '@athos/domain/money';
import type { Db } from '../../platform/database/database.ts';
import type { Cell } from '../../platform/files/csv.ts';
import { presentSummaries, type PresentDeps } from '../customers/index.ts';
import { compileUsers, type FoundUser, type UserFilters } from '../identity/index.ts';
import { compileEntries, type AuditFilters, type AuditRow } from '../staff/index.ts';

export interface ExportList<Row, Filters> {
  readonly permission: Permission;
  readonly columns: readonly string[];
  readonly select: (db: Db, filters: Filters) => CompiledQuery<Row>;
  /** The cells of some of its rows, in their order. */
  readonly cellsOf: (
    deps: PresentDeps,
    rows: readonly Row[],
    filters: Filters,
  ) => Promise<Cell[][]> | Cell[][];
}

/** An amount twice: as people write it, and in the units that are added up. */
export const amountCells = (units: string): Cell[] => [
  { number: exactAthText(parseUnits(units)) },
  { number: units },
];

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
  select: (db, filters) => compileUsers(db, filters, 'newest'),
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
  select: compileEntries,
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

export const EXPORT_LIST = { customers, audit } as const satisfies Record<
  ExportListName,
  ExportList<never, never>
>;
