import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { shownVenues, venueListName, venuesSeenBy } from '../venues/seen-venues.ts';
import {
  countConflicts,
  resolveConflict,
  selectConflict,
  selectConflicts,
  type ConflictRow,
} from './conflict-list.sql.ts';

interface ConflictDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

const presentFirst = (row: ConflictRow) => ({
  redemption_id: Number(row.firstRedemptionId),
  at: row.firstAt.toISOString(),
  venue: { id: row.firstVenueId, name: row.firstVenue },
  scanner_uuid: row.firstStaffUuid,
  device:
    row.firstDeviceId === null || row.firstDeviceLabel === null
      ? null
      : { id: row.firstDeviceId, name: row.firstDeviceName, label: row.firstDeviceLabel },
});

const presentConflict = (row: ConflictRow) => ({
  id: Number(row.id),
  found_at: row.foundAt.toISOString(),
  item: { id: Number(row.itemId), purchase_id: Number(row.purchaseId), title: row.title },
  value: microAthFromHundredths(athHundredths(row.priceAthHundredths)).toString(),
  state: row.state,
  refunded_at: row.isRefunded ? row.firstAt.toISOString() : null,
  first: row.isRefunded ? null : presentFirst(row),
  second: {
    at: row.at.toISOString(),
    venue: { id: row.venueId, name: row.venue },
    scanner_uuid: row.staffUuid,
    device: { id: row.deviceId, name: row.deviceName, label: row.deviceLabel },
  },
  customer_uuid: row.holderUuid,
  resolution:
    row.resolvedAt === null || row.resolverId === null
      ? null
      : {
          by: { id: row.resolverId, name: row.resolverName ?? '' },
          at: row.resolvedAt.toISOString(),
          reason: row.words ?? '',
        },
});

async function readConflict(
  db: Db | Tx,
  staff: Parameters<typeof venuesSeenBy>[1],
  id: number,
): Promise<ConflictRow> {
  const row = await selectConflict(db, { venueIds: await venuesSeenBy(db, staff) }, id);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

export function registerConflictConsole(app: FastifyInstance, deps: ConflictDeps): void {
  const { db, clock, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.conflicts, async ({ query, staff }) => {
    const seen = await venuesSeenBy(db, staff);
    const name = venueListName('conflicts', seen);
    const { limit, after, count } = listCursors.readPage(name, query);
    const filters = { venueIds: shownVenues(seen, query.venue_id), state: query.state };
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [rows, total] = await Promise.all([
      selectConflicts(db, filters, { limit, beforeId }),
      count ?? countConflicts(db, filters),
    ]);
    return listCursors.answer(name, query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentConflict,
    });
  });

  consoleEndpoint(app, deps, consoleApi.conflict, async ({ params, staff }) =>
    presentConflict(await readConflict(db, staff, params.id)),
  );

  consoleEndpoint(app, deps, consoleApi.resolveConflict, async (act) => {
    const { tx, staff, params, body } = act;
    const { state: before } = await readConflict(tx, staff, params.id);
    const resolution = {
      state: body.as,
      words: body.reason,
      staffId: staff.staffId,
      at: dateOf(clock),
    };
    if (!(await resolveConflict(tx, params.id, resolution))) {
      throw new AppError('state_changed', { detail: 'Somebody has decided on this conflict.' });
    }
    await act.record({
      subjectId: String(params.id),
      before: { state: before },
      after: { state: body.as, reason: body.reason },
    });
    return presentConflict(await readConflict(tx, staff, params.id));
  });
}
