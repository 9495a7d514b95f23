/** The door of shop: catalogue, pictures, tiers, purchases and tips. */
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../capability.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { registerCatalogueRoutes } from './catalogue/catalogue.routes.ts';
import { registerCategoryConsole } from './catalogue/categories.console.routes.ts';
import { registerOfferConsole } from './catalogue/offers.console.routes.ts';
import { publishAction } from './catalogue/publish-offer.ts';
import { eraseShopTraces } from './erase.sql.ts';
import { shopHistory, shopObjects } from './history.ts';
import { lowStock } from './find.sql.ts';
import { registerPictureRoutes } from './pictures/pictures.routes.ts';
import { registerPictureConsole } from './pictures/pictures.console.routes.ts';
import { pruneImports, runImport, type ImportJobDeps } from './import/apply-import.ts';
import {
  registerImportConsole,
  type ImportConsoleDeps,
} from './import/offer-imports.console.routes.ts';
import { createPictureTasks, pictureCrontab } from './pictures/pictures.tasks.ts';
import { registerPurchaseRoutes } from './purchase/purchase.routes.ts';
import { registerPurchaseConsole } from './purchase/purchases.console.routes.ts';
import { refundPurchaseAction, refundRedeemedAction } from './purchase/refund-purchase.ts';
import { changeTiersAction } from './tiers/change-tiers.ts';
import { countHolders } from './tiers/count-holders.ts';
import { registerTierConsole } from './tiers/tiers.console.routes.ts';
import { registerTierRoutes } from './tiers/tiers.routes.ts';
import { salesStats } from './purchase/sales-stats.sql.ts';
import type {} from './tables.ts';

export {
  countUnredeemedItems,
  selectOfferNames,
  selectFoundOffers,
  selectPurchaseOwner,
} from './find.sql.ts';
export {
  CATEGORY_COLUMNS,
  categoryCells,
  listCategories,
  listOffers,
  OFFER_COLUMNS,
  offerCells,
  readOffers,
  type OfferFilters,
} from './import/list-offers.ts';
export { keepPicture, pictureIdOf } from './pictures/store-picture.ts';
export {
  lockUnredeemedItems,
  markItemsRedeemed,
  markItemsRedeemedAt,
  markItemsUnredeemed,
} from './purchase/redemption.sql.ts';
export {
  compilePurchases,
  countPurchases,
  type PurchaseRow,
} from './purchase/purchase-list.sql.ts';
export {
  presentSummary as presentPurchase,
  readPurchaseFilters,
  type PurchaseQuery,
} from './purchase/purchases.console.routes.ts';
export { selectRedeemableItems, type RedeemableItem } from './purchase/purchase.sql.ts';
export { presentTier } from './tiers/tiers.routes.ts';
export { selectTiers } from './tiers/tiers.sql.ts';

type ShopDeps = Parameters<typeof registerPurchaseRoutes>[1] &
  Parameters<typeof registerPictureRoutes>[1];

type ShopConsoleDeps = ImportConsoleDeps &
  Parameters<typeof registerPurchaseConsole>[1] &
  Parameters<typeof registerPictureConsole>[1];

export { buyTogether } from './purchase/buy.ts';
export { sendTip } from './purchase/tip.ts';

export const shop = {
  registerRoutes(app: FastifyInstance, deps: ShopDeps) {
    registerPurchaseRoutes(app, deps);
    registerTierRoutes(app, deps);
    registerCatalogueRoutes(app, deps);
    registerPictureRoutes(app, deps);
  },
  registerConsoleRoutes(app: FastifyInstance, deps: ShopConsoleDeps) {
    registerPurchaseConsole(app, deps);
    registerCategoryConsole(app, deps);
    registerOfferConsole(app, deps);
    registerPictureConsole(app, deps);
    registerTierConsole(app, deps);
    registerImportConsole(app, deps);
  },
  actions: [refundPurchaseAction, refundRedeemedAction, publishAction, changeTiersAction],
  createTasks: (deps: Parameters<typeof createPictureTasks>[0] & ImportJobDeps): TasksByLane => ({
    upkeep: {
      ...createPictureTasks(deps).upkeep,
      tiers_count_holders: () => countHolders(deps),
      offer_import_run: (payload) => runImport(deps, (payload as { id: string }).id),
      offer_imports_delete_old: () => pruneImports(deps),
    },
  }),
  crontab: `${pictureCrontab}17 2 * * * tiers_count_holders ?jobKey=tiers_count_holders&max=3
27 * * * * offer_imports_delete_old ?jobKey=offer_imports_delete_old&max=3
`,
  history: shopHistory,
  transferObjects: shopObjects,
  stats: salesStats,
  waiting: [lowStock],
  eraseUser: eraseShopTraces,
} satisfies Capability;
