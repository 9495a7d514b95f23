/** Loads the data for the first signed-in screen (spec 4, 8 and 9). */
import { log } from '@athos/app-core/log';
import { queryClient } from '@athos/app-core/query-client';
import { UnreadableAnswerError } from '@athos/client/errors';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { isReadingOffline } from '../state/network.ts';
import { balanceQuery } from './balance.ts';
import { categoriesQuery } from './categories.ts';
import { rateQuery } from './rate.ts';
import { tiersQuery } from './tiers.ts';

/** Logs and shows a failure (S8-033). The screens show what has loaded, and polling tries again. */
function report(name: string, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  log('start_up_failed', { name, error: text });
  const shown = error instanceof UnreadableAnswerError ? m.errors_internal() : text;
  toasts.show('danger', shown, 5000);
}

async function load(name: string, loading: Promise<unknown>): Promise<void> {
  try {
    await loading;
  } catch (error) {
    report(name, error);
  }
}

/** Loads balance, exchange rate, categories and tiers in parallel, or nothing while reading offline. Never rejects. */
export async function loadStartUpData(): Promise<void> {
  if (isReadingOffline.get()) return;
  await Promise.all([
    load('balance', queryClient.fetchQuery(balanceQuery)),
    load('rate', queryClient.fetchQuery(rateQuery)),
    load('categories', queryClient.fetchQuery(categoriesQuery)),
    load('tiers', queryClient.fetchQuery(tiersQuery)),
  ]);
}
