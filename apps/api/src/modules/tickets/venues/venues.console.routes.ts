import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Db } from '../../../platform/database/database.ts';
import { idsBetween } from '../../../platform/database/ids-between.ts';
import { knownOutcome } from '../tickets.routes.ts';
import {
  archiveVenue,
  bindVenueStaff,
  changeVenue,
  createVenue,
  presentVenue,
  unbindVenueStaff,
} from './manage-venues.ts';
import {
  requireSeen,
  shownVenues,
  venueListName,
  venuesSeenBy,
  type SeenVenues,
} from './seen-venues.ts';
import {
  countVenues,
  selectCountedFrom,
  selectDayFrom,
  selectVenueCounts,
  selectVenueNames,
  selectVenues,
} from './venues.sql.ts';

export interface VenueConsoleDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
  readonly config: ConsoleDeps['config'] & { readonly console: { readonly timeZone: string } };
}

const HOUR_MS = 60 * 60_000;

interface CountDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: VenueConsoleDeps['config'];
}

async function readCounts({ db, clock, config }: CountDeps, shown: SeenVenues) {
  const now = dateOf(clock);
  const dayFrom = await selectDayFrom(db, now, config.console.timeZone);
  const hourFrom = new Date(now.getTime() - HOUR_MS);
  const from = dayFrom < hourFrom ? dayFrom : hourFrom;
  const { first } = await idsBetween(db, 'scans', { from, to: undefined });
  const span = { dayFrom, hourFrom, firstId: first };
  const [rows, lastAt] = await Promise.all([
    selectVenueCounts(db, span, shown),
    selectCountedFrom(db, span),
  ]);
  return {
    day_from: dayFrom.toISOString(),
    hour_from: hourFrom.toISOString(),
    counted_from: lastAt !== undefined && lastAt > from ? lastAt.toISOString() : null,
    items: rows.map((row) => ({
      venue_id: row.venueId,
      outcome: knownOutcome(row.outcome),
      day: { attempts: row.dayAttempts, redeemed_items: row.dayItems },
      hour: { attempts: row.hourAttempts, redeemed_items: row.hourItems },
    })),
  };
}

function registerReads(app: FastifyInstance, deps: VenueConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.venues, async ({ query, staff }) => {
    const seen = await venuesSeenBy(db, staff);
    const name = venueListName('venues', seen);
    const { limit, after, count } = listCursors.readPage(name, query);
    const filters = { seen, state: query.state };
    const [rows, total] = await Promise.all([
      selectVenues(db, filters, { limit, afterName: after?.[0] }),
      count ?? countVenues(db, filters),
    ]);
    return listCursors.answer(name, query, {
      rows,
      count: total,
      positionOf: ({ name: last }) => [last],
      present: ({ archivedAt, staffCount, ...venue }) => ({
        ...venue,
        archived_at: archivedAt?.toISOString() ?? null,
        staff_count: staffCount,
      }),
    });
  });

  consoleEndpoint(app, deps, consoleApi.venueNames, async ({ staff }) => ({
    items: await selectVenueNames(db, await venuesSeenBy(db, staff)),
  }));

  consoleEndpoint(app, deps, consoleApi.venueCounts, async ({ query, staff }) =>
    readCounts(deps, shownVenues(await venuesSeenBy(db, staff), query.venue_id)),
  );

  consoleEndpoint(app, deps, consoleApi.venue, async ({ params, staff }) => {
    requireSeen(await venuesSeenBy(db, staff), params.id);
    return presentVenue(db, params.id);
  });
}

export function registerVenueConsole(app: FastifyInstance, deps: VenueConsoleDeps): void {
  registerReads(app, deps);

  consoleEndpoint(app, deps, consoleApi.createVenue, (act) => createVenue(deps, act, act.body));

  consoleEndpoint(app, deps, consoleApi.changeVenue, (act) =>
    changeVenue(act, act.params.id, act.body),
  );

  consoleEndpoint(app, deps, consoleApi.archiveVenue, (act) =>
    archiveVenue(deps, act, { id: act.params.id, isArchived: act.body.is_archived }),
  );

  consoleEndpoint(app, deps, consoleApi.bindVenueStaff, (act) =>
    bindVenueStaff(deps, act, { venueId: act.params.id, account: act.body.account }),
  );

  consoleEndpoint(app, deps, consoleApi.unbindVenueStaff, (act) =>
    unbindVenueStaff(deps, act, { venueId: act.params.id, uuid: act.params.uuid }),
  );
}
