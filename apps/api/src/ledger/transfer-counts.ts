/** Counts what the ledger posts, whether a batch of its own or another capability's transaction posts it. */
import { barrierPassed, event } from '../platform/metrics/events.ts';
import type { LedgerMetrics } from '../platform/metrics/metrics.ts';
import type { TransferOutcome } from './transfer.ts';

type Outcome = TransferOutcome['outcome'];

export type TransferCounts = ReadonlyMap<Outcome, number>;

/** The outcomes of `transferInTx`, told once its transaction is stored. */
export const postedInTransaction = event<TransferCounts>('posted_in_transaction');

export function countOutcomes(outcomes: readonly { readonly outcome: Outcome }[]): TransferCounts {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

export function addCounts({ transfers }: LedgerMetrics, counts: TransferCounts): void {
  for (const [outcome, transferCount] of counts) transfers.inc({ outcome }, transferCount);
}

/** Returns a function that ends it. */
export function countTransactions(metrics: LedgerMetrics): () => void {
  const endings = [
    postedInTransaction.listen((counts) => addCounts(metrics, counts)),
    barrierPassed.listen((seconds) => metrics.barrierSeconds.observe(seconds)),
  ];
  return () => {
    for (const end of endings) end();
  };
}
