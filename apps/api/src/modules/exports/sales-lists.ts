/** The exported lists of sales and redemptions. */
import type { Db, Tx } from '../../platform/database/database.ts';
import {
  compilePurchases,
  countPurchases,
  presentPurchase,
  readPurchaseFilters,
  type PurchaseQuery,
  type PurchaseRow,
} from '../shop/index.ts';
import {
  compileRedemptions,
  compileScans,
  countRedemptions,
  countScans,
  readRedemptionFilters,
  readScanFilters,
  type RedemptionQuery,
  type RedemptionRow,
  type ScanListRow,
  type ScanQuery,
} from '../tickets/index.ts';
import { amountCells, inChunks, type ExportList } from './export-list.ts';

/** `open` as long as at least one item can still be redeemed. */
const statusOf = ({ open, redeemed }: PurchaseRow['counts']): string => {
  if (open > 0) return 'open';
  return redeemed > 0 ? 'redeemed' : 'refunded';
};

export const purchases: ExportList<PurchaseRow, PurchaseQuery> = {
  permission: 'purchases.read',
  columns: [
    'purchase',
    'status',
    'customer_uuid',
    'at',
    'total',
    'total_units',
    'open',
    'redeemed',
    'refunded',
    'titles',
  ],
  count: async (tx, filters) => countPurchases(tx, await readPurchaseFilters(tx, filters)),
  async *read(deps, filters) {
    const found = await readPurchaseFilters(deps.db, filters);
    yield* inChunks(deps, compilePurchases(deps.db, found));
  },
  cellsOf: (_deps, rows) =>
    rows.map((row) => {
      const purchase = presentPurchase(row);
      return [
        { number: row.id.toString() },
        statusOf(row.counts),
        purchase.customer_uuid,
        purchase.purchased_at,
        ...amountCells(purchase.total),
        { number: String(row.counts.open) },
        { number: String(row.counts.redeemed) },
        { number: String(row.counts.refunded) },
        row.titles.join(', '),
      ];
    }),
};

interface OfVenues {
  /** The venues that the requester may see; null for all. */
  readonly seenVenueIds: readonly number[] | null;
}

type RedemptionExport = RedemptionQuery & OfVenues;

const redemptionFiltersOf = (db: Db | Tx, { seenVenueIds, ...query }: RedemptionExport) =>
  readRedemptionFilters(db, seenVenueIds ?? undefined, query);

const redemptionStatus = ({ itemCount, reversedCount }: RedemptionRow): string => {
  if (reversedCount === 0) return 'redeemed';
  return reversedCount < itemCount ? 'partly_reversed' : 'reversed';
};

export const redemptions: ExportList<RedemptionRow, RedemptionExport> = {
  permission: 'scans.read',
  columns: [
    'redemption',
    'at',
    'status',
    'venue_id',
    'venue',
    'scanner_uuid',
    'customer_uuid',
    'items',
    'reversed',
    'titles',
  ],
  count: async (tx, filters) => countRedemptions(tx, await redemptionFiltersOf(tx, filters)),
  async *read(deps, filters) {
    yield* inChunks(deps, compileRedemptions(deps.db, await redemptionFiltersOf(deps.db, filters)));
  },
  cellsOf: (_deps, rows) =>
    rows.map((row) => [
      { number: row.id.toString() },
      row.at.toISOString(),
      redemptionStatus(row),
      { number: String(row.venueId) },
      row.venue,
      row.scannerUuid,
      row.customerUuid,
      { number: String(row.itemCount) },
      { number: String(row.reversedCount) },
      row.titles.join(', '),
    ]),
};

type ScanExport = ScanQuery & OfVenues;

const scanFiltersOf = (db: Db | Tx, { seenVenueIds, ...query }: ScanExport) =>
  readScanFilters(db, seenVenueIds ?? undefined, query);

export const scans: ExportList<ScanListRow, ScanExport> = {
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
