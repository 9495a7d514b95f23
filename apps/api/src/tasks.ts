import type { TaskList } from 'graphile-worker';
import type { Deps } from './deps.ts';
import { authCrontab, authTasks } from './modules/identity/identity.tasks.ts';
import { catalogTasks } from './modules/shop/pictures/picture.tasks.ts';
import { withdrawOffersOf } from './modules/shop/catalogue/erase.sql.ts';
import { erasePaymentsOf } from './modules/cards/erase.sql.ts';
import { paymentCrontab, paymentTasks } from './modules/cards/cards.tasks.ts';
import { eraseWordsOf } from './modules/shop/purchase/erase.sql.ts';
import { rewardCrontab, rewardTasks } from './modules/campaigns/campaigns.tasks.ts';
import { eraseScansOf } from './modules/tickets/erase.sql.ts';
import { scannerCrontab, scannerTasks } from './modules/tickets/tickets.tasks.ts';

/** What each module erases of a deleted account (docs/decisions/0010-delete-account.md). */
const erasures = [erasePaymentsOf, eraseWordsOf, eraseScansOf, withdrawOffersOf];

/** Every job by name. A name stays for as long as a job of it may wait in the queue. */
export const createTasks = (deps: Deps): TaskList => ({
  ...authTasks(deps, erasures),
  ...catalogTasks(deps),
  ...paymentTasks(deps),
  ...rewardTasks(deps),
  ...scannerTasks(deps),
});

/** Every job that time causes. */
export const crontab = `${authCrontab}${paymentCrontab}${rewardCrontab}${scannerCrontab}`;
