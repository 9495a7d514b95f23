import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { readLooked } from '../../platform/console/looked-list.sql.ts';
import { may, type SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { idsBetween } from '../../platform/database/ids-between.ts';
import { AppError } from '../../platform/errors.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import { selectUserByUuid } from '../identity/index.ts';
import {
  countRedemptions,
  redemptionList,
  selectItemsOfRedemption,
  selectRedemptionRow,
  type RedemptionFilters,
  type RedemptionRow,
} from './redemption-list.sql.ts';
import { reverseAction } from './reverse-redemption.ts';
import {
  requireSeen,
  shownVenues,
  venueListName,
  venuesSeenBy,
  type SeenVenues,
} from './venues/seen-venues.ts';

export type RedemptionDeps = ConsoleDeps & PerformDeps & { readonly listCursors: ListCursors };

export interface RedemptionQuery {
  readonly venue_id?: number | undefined;
  readonly customer_uuid?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The id of no row. */
const NOBODY = 0n;

export async function readRedemptionFilters(
  db: Db | Tx,
  seen: SeenVenues | Promise<SeenVenues>,
  { venue_id: venueId, customer_uuid: uuid, from: fromText, to: toText }: RedemptionQuery,
): Promise<RedemptionFilters> {
  const from = fromText === undefined ? undefined : new Date(fromText);
  const to = toText === undefined ? undefined : new Date(toText);
  const [{ first, past }, user, seenIds] = await Promise.all([
    idsBetween(db, 'redemptions', { from, to }),
    uuid === undefined ? undefined : selectUserByUuid(db, uuid),
    seen,
  ]);
  const customerId = uuid === undefined ? undefined : (user?.id ?? NOBODY);
  return {
    venueIds: shownVenues(seenIds, venueId),
    customerId,
    from,
    to,
    firstId: first,
    pastId: past,
  };
}

const presentRow = (row: RedemptionRow) => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  venue: { id: row.venueId, name: row.venue },
  customer_uuid: row.customerUuid,
  scanner_uuid: row.scannerUuid,
  item_count: row.itemCount,
  reversed_count: row.reversedCount,
  titles: row.titles,
});

async function readRedemption(db: Db, staff: SignedInStaff, id: number) {
  const [row, seenIds] = await Promise.all([selectRedemptionRow(db, id), venuesSeenBy(db, staff)]);
  if (row === undefined) throw new AppError('not_found');
  requireSeen(seenIds, row.venueId);
  const items = await selectItemsOfRedemption(db, id);
  return {
    ...presentRow(row),
    items: items.map((item) => ({
      id: Number(item.id),
      purchase_id: Number(item.purchaseId),
      title: item.title,
      price: microAthFromHundredths(athHundredths(item.priceAthHundredths)).toString(),
      is_refunded: item.voidedAt !== null,
      reversal:
        item.approvalId === null
          ? null
          : {
              approval_id: item.approvalId,
              at: item.reversedAt.toISOString(),
              by: { id: item.staffId, name: item.staffName },
              reason: item.reason,
            },
    })),
  };
}

export function registerRedemptionConsole(app: FastifyInstance, deps: RedemptionDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.redemptions, async ({ query, staff }) => {
    const reading = venuesSeenBy(db, staff);
    const [seen, filters] = await Promise.all([reading, readRedemptionFilters(db, reading, query)]);
    const name = venueListName('redemptions', seen);
    const { limit, after, count } = listCursors.readPage(name, query);
    const list = redemptionList(filters);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [page, total] = await Promise.all([
      readLooked<RedemptionRow>(db, list, { limit, beforeId }),
      count ?? countRedemptions(db, filters),
    ]);
    const { rows, nextBeforeId, lookedUntil } = page;
    return {
      ...listCursors.answer(name, query, {
        rows,
        count: total,
        next: nextBeforeId === undefined ? undefined : [nextBeforeId.toString()],
        present: presentRow,
      }),
      looked_until: lookedUntil?.toISOString() ?? null,
    };
  });

  consoleEndpoint(app, deps, consoleApi.redemption, ({ params, staff }) =>
    readRedemption(db, staff, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.reverseRedemption, (act) => {
    const { item_ids: itemIds, reason } = act.body;
    const payload = {
      redemptionId: act.params.id,
      itemIds: itemIds.toSorted((one, other) => one - other),
      isVenueStaff: !may(act.staff, 'customers.read'),
    };
    return perform(deps, act, reverseAction, { payload, reason });
  });
}
