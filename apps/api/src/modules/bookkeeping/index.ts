/** The door of bookkeeping: the console's view of the ledger, and its verification. */
import { z } from 'zod';
import type { Task } from 'graphile-worker';
import type { Capability } from '../../capability.ts';
import { addTotals, keepPieces } from '../../ledger/index.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { registerBookkeepingRoutes, type BookkeepingDeps } from './bookkeeping.routes.ts';
import { trialBalance } from './journal.ts';
import { mailSeal, sealDay, type SealDeps } from './seal.ts';
import { runVerification, verifyNightly, type VerificationDeps } from './verification.ts';
import type {} from './tables.ts';

type BalanceDeps = VerificationDeps & SealDeps & { readonly metrics: Pick<Metrics, 'assetSum'> };

/** Jobs enqueued by the previous version do not contain `from`. */
const ofVerification = z.object({
  id: z.string(),
  from: z.enum(['checkpoint', 'start']).default('start'),
});
const ofSeal = z.object({ day: z.iso.date() });

export { openAnchorBucket, type Anchor, type AnchorBucket } from './anchor-bucket.ts';
export { anchorHead, startHeadAnchor } from './head-anchor.ts';
export type { presentTransfers } from './journal.ts';
export { countTransfers, readTransfers, type TransferFilters } from './bookkeeping.routes.ts';

export const bookkeeping = {
  registerConsoleRoutes: registerBookkeepingRoutes,
  createTasks: (deps: BalanceDeps) => ({
    mail: {
      ledger_seal_mail: (payload: unknown) => mailSeal(deps, ofSeal.parse(payload).day),
    },
    verification: {
      bookkeeping_verify: (payload: unknown, { job }: Parameters<Task>[1]) => {
        const isLastAttempt = !(job.attempts < job.max_attempts);
        return runVerification(deps, { ...ofVerification.parse(payload), isLastAttempt });
      },
    },
    upkeep: {
      bookkeeping_verify_nightly: () => verifyNightly(deps),
      ledger_seal: () => sealDay(deps),
      ledger_pieces: () => keepPieces(deps.db, deps.log),
      bookkeeping_balance: async () => {
        await addTotals(deps.db);
        for (const { asset, sum } of (await trialBalance(deps, 'end')) ?? [])
          deps.metrics.assetSum.set({ asset }, parseInt(sum, 10));
      },
    },
  }),
  // The trial balance is checked every five minutes. The full verification runs when most programmes have the fewest movements, and
  // not on the hour, when most scheduled jobs run. The day is sealed after its card money was compared (cards.tasks.ts), or later if
  // no worker ran then.
  crontab: `
*/5 * * * * bookkeeping_balance ?jobKey=bookkeeping_balance&max=3
23 3 * * * bookkeeping_verify_nightly ?jobKey=bookkeeping_verify_nightly&max=3
8 * * * * ledger_pieces ?jobKey=ledger_pieces&max=3
50 5 * * * ledger_seal ?jobKey=ledger_seal&fill=1d
`,
} satisfies Capability<BookkeepingDeps & BalanceDeps>;
