/** The log of scans, for staff and for its export. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { ListCount } from '@athos/contract/console/lists';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { countLooked, readLooked } from '../../../platform/console/looked-list.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { idsBetween } from '../../../platform/database/ids-between.ts';
import { AppError } from '../../../platform/errors.ts';
import { selectUserByUuid } from '../../identity/index.ts';
import { scanList, selectScan, type ScanFilters, type ScanListRow } from '../scan-list.sql.ts';
import { knownOutcome } from '../tickets.routes.ts';
import {
  requireSeen,
  shownVenues,
  venueListName,
  venuesSeenBy,
  type SeenVenues,
} from './seen-venues.ts';

interface ScanConsoleDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

export interface ScanQuery {
  readonly venue_id?: number | undefined;
  readonly scanner_uuid?: string | undefined;
  readonly customer_uuid?: string | undefined;
  readonly action?: 'scan' | 'redeem' | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The id of no row. */
const NOBODY = 0n;
/** The id of no venue, so nobody is bound to it. */
const NO_VENUE = 0;

export async function readScanFilters(
  db: Db | Tx,
  seen: SeenVenues,
  query: ScanQuery,
): Promise<ScanFilters> {
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : new Date(query.to);
  const idOf = async (uuid: string | undefined) =>
    uuid === undefined ? undefined : ((await selectUserByUuid(db, uuid))?.id ?? NOBODY);
  const [{ first, past }, scannerId, customerId] = await Promise.all([
    idsBetween(db, 'scans', { from, to }),
    idOf(query.scanner_uuid),
    idOf(query.customer_uuid),
  ]);
  const { action, outcome } = query;
  const venueIds = shownVenues(seen, query.venue_id);
  return {
    venueIds,
    scannerId,
    customerId,
    action,
    outcome,
    from,
    to,
    firstId: first,
    pastId: past,
  };
}

/** The number of scans in a list. */
export const countScans = (db: Db | Tx, filters: ScanFilters): Promise<ListCount> =>
  countLooked(db, scanList(filters));

const presentScan = (row: ScanListRow) => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  action: row.action,
  outcome: knownOutcome(row.outcome),
  venue: row.venueId === null || row.venue === null ? null : { id: row.venueId, name: row.venue },
  scanner_uuid: row.scannerUuid,
  customer_uuid: row.customerUuid,
  item_count: row.itemCount,
  redeemed_count: row.redeemedCount,
  titles: row.titles,
});

export function registerScanConsole(app: FastifyInstance, deps: ScanConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.scans, async ({ query, staff }) => {
    const seen = await venuesSeenBy(db, staff);
    const name = venueListName('scans', seen);
    const { limit, after, count } = listCursors.readPage(name, query);
    const filters = await readScanFilters(db, seen, query);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [page, total] = await Promise.all([
      readLooked<ScanListRow>(db, scanList(filters), { limit, beforeId }),
      count ?? countScans(db, filters),
    ]);
    const { rows, nextBeforeId, lookedUntil } = page;
    return {
      ...listCursors.answer(name, query, {
        rows,
        count: total,
        next: nextBeforeId === undefined ? undefined : [nextBeforeId.toString()],
        present: presentScan,
      }),
      looked_until: lookedUntil?.toISOString() ?? null,
    };
  });

  consoleEndpoint(app, deps, consoleApi.scan, async ({ params, staff }) => {
    const [row, seen] = await Promise.all([selectScan(db, params.id), venuesSeenBy(db, staff)]);
    if (row === undefined) throw new AppError('not_found');
    if (seen !== undefined) requireSeen(seen, row.venueId ?? NO_VENUE);
    return presentScan(row);
  });
}
