import type { TaskList } from 'graphile-worker';
import type { Deps } from './deps.ts';
import { authCrontab, authTasks } from './modules/auth/auth.tasks.ts';
import { catalogTasks } from './modules/catalog/catalog.tasks.ts';
import { withdrawOffersOf } from './modules/catalog/erase.sql.ts';
import { erasePaymentsOf } from './modules/payment/erase.sql.ts';
import { paymentCrontab, paymentTasks } from './modules/payment/payment.tasks.ts';
import { eraseWordsOf } from './modules/purchase/erase.sql.ts';
import { rewardCrontab, rewardTasks } from './modules/reward/reward.tasks.ts';
import { eraseScansOf } from './modules/scanner/erase.sql.ts';
import { scannerCrontab, scannerTasks } from './modules/scanner/scanner.tasks.ts';

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
