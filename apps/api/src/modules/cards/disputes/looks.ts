/** Asks for looks at disputes, which compare ours with the provider's. A look that waits serves everybody who asks for it. */
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { selectDisputesWithFunds } from './disputes.sql.ts';

export const enqueueLook = (
  db: Parameters<typeof enqueueJob>[0],
  disputeId: string,
): Promise<void> =>
  enqueueJob(db, 'dispute_look', { disputeId }, { key: `dispute_look:${disputeId}` });

/**
 * To be called when a refund gives tokens back. A dispute took none for the refunded part, and takes them in its next look, which a lost dispute
 * gets in no other way.
 */
export async function lookAgain(tx: Tx, orderId: string): Promise<void> {
  for (const disputeId of await selectDisputesWithFunds(tx, orderId))
    await enqueueLook(tx, disputeId);
}
