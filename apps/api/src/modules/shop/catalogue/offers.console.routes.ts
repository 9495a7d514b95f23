import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { LIST_COUNT_MAX } from '@athos/contract/console/lists';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import { selectMerchantChoices } from '../../merchants/index.ts';
import { selectCurrentRate } from '../../rate/index.ts';
import { changeStock } from '../stock/change-stock.ts';
import { updateAlert } from '../stock/stock.sql.ts';
import { presentTier } from '../tiers/tiers.routes.ts';
import { selectTiers } from '../tiers/tiers.sql.ts';
import { lockCatalogue, selectTree } from './categories.sql.ts';
import { lineageOf } from './category-tree.ts';
import {
  discardDraft,
  lockVersion,
  requireReferences,
  saveOffer,
  withdrawOffer,
} from './edit-offer.ts';
import { listedIds } from './offer-list.sql.ts';
import { isDecider, publishAction } from './publish-offer.ts';
import { isStockLow, presentOffer, priceNow, stateOf } from './read-offer.ts';
import {
  fieldsOf,
  insertOffer,
  lockOffer,
  selectPriceWindows,
  selectStaffOffers,
} from './staff-offers.sql.ts';

type OfferConsoleDeps = ConsoleDeps & PerformDeps & { readonly listCursors: ListCursors };

/** Reads the rows of a list, in the order of the given ids. */
async function readSummaries(db: Db, ids: readonly number[], nowMs: number) {
  const rows = new Map((await selectStaffOffers(db, ids)).map((row) => [row.id, row]));
  const windows = Map.groupBy(await selectPriceWindows(db, ids), ({ offer_id: id }) => id);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    return {
      id,
      title: row.title,
      state: stateOf(row, nowMs),
      kind: row.kind,
      category: { id: row.category_id, title: row.category_title },
      price_now: priceNow(fieldsOf(row, windows.get(id) ?? []), nowMs),
      stock_left: row.stock_left,
      is_stock_low: isStockLow(row),
      has_draft: row.is_draft || row.draft_fields !== null,
    };
  });
}

function registerReads(app: FastifyInstance, deps: OfferConsoleDeps): void {
  const { db, clock, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleOffers, async ({ query }) => {
    const { limit, after } = listCursors.readPage('offers', query);
    const nowMs = clock.nowMs();
    const ids = await listedIds(db, query, nowMs);
    // If the last offer of the previous page has left the list, the list starts again, so that no offer is missed.
    const from = after === undefined ? 0 : ids.indexOf(parseInt(after[0] ?? '', 10)) + 1;
    return listCursors.answer('offers', query, {
      rows: await readSummaries(db, ids.slice(from, from + limit + 1), nowMs),
      count: {
        value: Math.min(ids.length, LIST_COUNT_MAX),
        is_at_least: ids.length > LIST_COUNT_MAX,
      },
      positionOf: ({ id }) => [`${id}`],
      present: (row) => row,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consoleOffer, ({ params }) =>
    presentOffer(deps, db, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.offerChoices, async () => {
    const tree = await selectTree(db);
    const byId = new Map(tree.map((node) => [node.id, node]));
    return {
      categories: tree.map(({ id, archived_at: archivedAt }) => ({
        id,
        path: lineageOf(byId, id)
          .toReversed()
          .map((each) => byId.get(each)?.title ?? ''),
        is_archived: archivedAt !== null,
      })),
      tiers: (await selectTiers(db)).map(presentTier),
      merchants: (await selectMerchantChoices(db)).map(({ id, name, archived_at: archivedAt }) => ({
        id,
        name,
        is_archived: archivedAt !== null,
      })),
      usd_per_ath: (await selectCurrentRate(db))?.toString() ?? null,
    };
  });
}

function registerEdits(app: FastifyInstance, deps: OfferConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.createOffer, async ({ tx, body, record }) => {
    await lockCatalogue(tx);
    await requireReferences(tx, body);
    const id = await insertOffer(tx, body);
    await record({ subjectId: `${id}`, after: body });
    return presentOffer(deps, tx, id);
  });

  consoleEndpoint(app, deps, consoleApi.saveOffer, async (act) => {
    const { tx, params, version, staff, record } = act;
    const edited = { id: params.id, version, fields: act.body, staffId: staff.staffId };
    const changed = await saveOffer(deps, tx, edited);
    await record({ subjectId: `${params.id}`, ...changed });
    return presentOffer(deps, tx, params.id);
  });

  consoleEndpoint(app, deps, consoleApi.discardOfferDraft, async (act) => {
    const { tx, params, version, record } = act;
    const { before } = await discardDraft(deps, tx, { id: params.id, version });
    await record({ subjectId: `${params.id}`, before });
    return presentOffer(deps, tx, params.id);
  });
}

function registerPublishing(app: FastifyInstance, deps: OfferConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.publishOffer, async (act) => {
    const { tx, params, version, body, staff } = act;
    await lockCatalogue(tx);
    await lockVersion(deps, tx, { id: params.id, version });
    const performed = await perform(deps, act, publishAction, {
      payload: { offerId: params.id, isDecider: isDecider(staff) },
      reason: body.reason,
    });
    return performed.outcome === 'requested' ? performed : { ...performed, version: version + 1 };
  });

  consoleEndpoint(app, deps, consoleApi.withdrawOffer, async (act) => {
    const { tx, params, version, body, record } = act;
    await withdrawOffer(deps, tx, { id: params.id, version });
    await record({ subjectId: `${params.id}`, after: { is_withdrawn: true, reason: body.reason } });
    return presentOffer(deps, tx, params.id);
  });
}

function registerStock(app: FastifyInstance, deps: OfferConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.changeStock, async (act) => {
    const { tx, params, body, staff, record } = act;
    const stock = { offerId: params.id, change: body, staffId: staff.staffId };
    const { before, after } = await changeStock(deps, tx, stock);
    await record({
      subjectId: `${params.id}`,
      before: { stock_left: before },
      after: { stock_left: after, kind: body.kind, reason: body.reason },
    });
    return presentOffer(deps, tx, params.id);
  });

  consoleEndpoint(app, deps, consoleApi.setStockAlert, async ({ tx, params, body, record }) => {
    if (!(await lockOffer(tx, params.id))) throw new AppError('not_found');
    const { stock } = await presentOffer(deps, tx, params.id);
    await updateAlert(tx, params.id, body.alert_max);
    await record({
      subjectId: `${params.id}`,
      before: { alert_max: stock.alert_max },
      after: body,
    });
    return presentOffer(deps, tx, params.id);
  });
}

export function registerOfferConsole(app: FastifyInstance, deps: OfferConsoleDeps): void {
  registerReads(app, deps);
  registerEdits(app, deps);
  registerPublishing(app, deps);
  registerStock(app, deps);
}
