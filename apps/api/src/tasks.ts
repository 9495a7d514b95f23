import type { TaskList } from 'graphile-worker';
import type { Deps } from './deps.ts';
import { authCrontab, authTasks } from './modules/auth/auth.tasks.ts';
import { catalogTasks } from './modules/catalog/catalog.tasks.ts';
import { paymentCrontab, paymentTasks } from './modules/payment/payment.tasks.ts';
import { rewardCrontab, rewardTasks } from './modules/reward/reward.tasks.ts';
import { scannerCrontab, scannerTasks } from './modules/scanner/scanner.tasks.ts';

/** Every job by name. A name stays for as long as a job of it may wait in the queue. */
export const createTasks = (deps: Deps): TaskList => ({
  ...authTasks(deps),
  ...catalogTasks(deps),
  ...paymentTasks(deps),
  ...rewardTasks(deps),
  ...scannerTasks(deps),
});

/** Every job that time causes. */
export const crontab = `${authCrontab}${paymentCrontab}${rewardCrontab}${scannerCrontab}`;
