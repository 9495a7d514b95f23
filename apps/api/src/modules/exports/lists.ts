/** The lists that can be exported: all rows of their filters, with the permission and the masks that the list itself has. */
import type { CompiledQuery } from 'kysely';
import type { ExportListName } from '@athos/contract/console/exports';
import type { Permission } from '@athos/contract/console/permissions';
import { exactAthText, TOKEN_ASSETS, parseUnits } from '@athos/domain/money';
import type { ListCount } from '@athos/contract/console/lists';
import type { Contributions } from '../../capability.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { readInChunks } from '../../platform/database/read-in-chunks.ts';
import type { Cell } from '../../platform/files/csv.ts';
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
import { presentSummaries, type PresentDeps } from '../customers/index.ts';
import { compileUsers, countUsers, type FoundUser, type UserFilters } from '../identity/index.ts';
import {
  compileScans,
  countScans,
  readScanFilters,
  type ScanListRow,
  type ScanQuery,
} from '../tickets/index.ts';
import { compileEntries, countEntries, type AuditFilters, type AuditRow } from '../staff/index.ts';

export interface ListDeps extends PresentDeps, Pick<Contributions, 'transferObjects'> {
  readonly config: { readonly databaseUrl: string };
}

export interface ExportList<Row, Filters> {
  readonly permission: Permission;
  readonly columns: readonly string[];
  readonly count: (tx: Tx, filters: Filters) => Promise<ListCount>;
  /** All rows of the filters, some at a time. */
  readonly read: (deps: ListDeps, filters: Filters) => AsyncIterable<readonly Row[]>;
  /** The cells of some of its rows, in their order. */
  readonly cellsOf: (
    deps: ListDeps,
    rows: readonly Row[],
    filters: Filters,
  ) => Promise<Cell[][]> | Cell[][];
}

const inChunks = <Row>({ config }: ListDeps, query: CompiledQuery<Row>) =>
  readInChunks(config.databaseUrl, query);

/** Hundredths as a decimal. */
export const decimalCents = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

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

/** An amount of any asset, as `amountCells`. */
const worthCells = (units: string, asset: string): Cell[] =>
  asset === 'USD'
    ? [{ number: decimalCents(BigInt(units)) }, { number: units }]
    : amountCells(units);

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

/** Those of one person, or all. */
export type ApprovalExport = Omit<ApprovalFilters, 'view'> & {
  readonly view: 'mine' | 'all';
  readonly staffId: string;
};

/** Whoever exports decides on nothing, so what they could decide on plays no part. */
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

export interface ScanExport extends ScanQuery {
  /** The venues that whoever asks sees; null for all. */
  readonly seenVenueIds: readonly number[] | null;
}

const scanFiltersOf = (db: Db | Tx, { seenVenueIds, ...query }: ScanExport) =>
  readScanFilters(db, seenVenueIds ?? undefined, query);

const scans: ExportList<ScanListRow, ScanExport> = {
  permission: 'scans.read',
  columns: [
    'scan',
    'at',
    'action',
    'status',
    'venue_id',
    'venue',
    'scanner_uuid',
    'customer_uuid',
    'items',
    'redeemed',
    'titles',
  ],
  count: async (tx, filters) => countScans(tx, await scanFiltersOf(tx, filters)),
  async *read(deps, filters) {
    yield* inChunks(deps, compileScans(deps.db, await scanFiltersOf(deps.db, filters)));
  },
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      { number: row.id.toString() },
      row.at.toISOString(),
      row.action,
      row.outcome,
      row.venueId === null ? null : { number: String(row.venueId) },
      row.venue,
      row.scannerUuid,
      row.customerUuid,
      { number: String(row.itemCount) },
      { number: String(row.redeemedCount) },
      row.titles.join(', '),
    ]),
};

export const EXPORT_LIST = {
  customers,
  audit,
  transfers,
  approvals,
  scans,
} as const satisfies Record<
  ExportListName,
  Pick<ExportList<never, never>, 'permission' | 'columns'>
>;
