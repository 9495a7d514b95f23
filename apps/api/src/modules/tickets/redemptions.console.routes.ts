import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { LIST_COUNT_MAX, type ListCount } from '@athos/contract/console/lists';
import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import { may, type SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import type { Db } from '../../platform/database/database.ts';
import { idsBetween } from '../../platform/database/ids-between.ts';
import { AppError } from '../../platform/errors.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import { selectUserByUuid } from '../identity/index.ts';
import { selectVenueIds } from '../staff/index.ts';
import {
  countRedemptions,
  readRedemptions,
  selectItemsOfRedemption,
  selectRedemptionRow,
  selectVenueNames,
  type RedemptionFilters,
  type RedemptionRow,
} from './redemption-list.sql.ts';
import { reverseAction } from './reverse-redemption.ts';

type RedemptionDeps = ConsoleDeps & PerformDeps & { readonly listCursors: ListCursors };

interface RedemptionQuery {
  readonly venue_id?: number | undefined;
  readonly customer_uuid?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** No row has this id. */
const NOBODY = 0n;

/** The venues whose redemptions the person sees; `undefined` for all. */
async function venuesSeenBy(
  db: Db,
  { staffId }: SignedInStaff,
): Promise<readonly number[] | undefined> {
  const venueIds = await selectVenueIds(db, staffId);
  return venueIds.length === 0 ? undefined : venueIds;
}

async function readFilters(
  db: Db,
  staff: SignedInStaff,
  { venue_id: venueId, customer_uuid: uuid, from: fromText, to: toText }: RedemptionQuery,
): Promise<RedemptionFilters> {
  const from = fromText === undefined ? undefined : new Date(fromText);
  const to = toText === undefined ? undefined : new Date(toText);
  const [{ first, past }, user, seenIds] = await Promise.all([
    idsBetween(db, 'redemptions', { from, to }),
    uuid === undefined ? undefined : selectUserByUuid(db, uuid),
    venuesSeenBy(db, staff),
  ]);
  const customerId = uuid === undefined ? undefined : (user?.id ?? NOBODY);
  const asked = venueId === undefined ? seenIds : [venueId];
  const venueIds = asked?.filter((id) => seenIds === undefined || seenIds.includes(id));
  return { venueIds, customerId, from, to, firstId: first, pastId: past };
}

async function countOf(db: Db, filters: RedemptionFilters): Promise<ListCount> {
  const { count, isAtLeast } = await countRedemptions(db, filters);
  return {
    value: Math.min(count, LIST_COUNT_MAX),
    is_at_least: isAtLeast || count > LIST_COUNT_MAX,
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
  if (row === undefined || seenIds?.includes(row.venueId) === false) {
    throw new AppError('not_found');
  }
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
    const { limit, after, count } = listCursors.readPage('redemptions', query);
    const filters = await readFilters(db, staff, query);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const page = await readRedemptions(db, filters, { limit, beforeId });
    const { rows, nextBeforeId, lookedUntil } = page;
    return {
      ...listCursors.answer('redemptions', query, {
        rows,
        count: count ?? (await countOf(db, filters)),
        next: nextBeforeId === undefined ? undefined : [nextBeforeId.toString()],
        present: presentRow,
      }),
      looked_until: lookedUntil?.toISOString() ?? null,
    };
  });

  consoleEndpoint(app, deps, consoleApi.redemption, ({ params, staff }) =>
    readRedemption(db, staff, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.venueNames, async ({ staff }) => {
    const [venues, seenIds] = await Promise.all([selectVenueNames(db), venuesSeenBy(db, staff)]);
    return { items: venues.filter(({ id }) => seenIds === undefined || seenIds.includes(id)) };
  });

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
