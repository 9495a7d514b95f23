/** Disputes at the provider, for tests of card money. */
import { enqueueJob } from '../src/platform/jobs/enqueue.ts';
import type { PaidOrder } from './card-refund.ts';
import type { CardSandbox } from './card-sandbox.ts';
import type { TestApp } from './test-app.ts';

/** Does what the events of a dispute would trigger, without waiting for them. */
export async function refreshDispute(app: TestApp, disputeId: string): Promise<void> {
  await enqueueJob(app.deps.db, 'dispute_look', { disputeId });
  await app.runJobs();
}

/** Opens a dispute, with fields of the provider in `body`. Returns the provider's id of it once the app has looked at it. */
export async function openDispute(
  app: TestApp,
  sandbox: CardSandbox,
  { intentId }: Pick<PaidOrder, 'intentId'>,
  body: object = {},
): Promise<string> {
  const { id } = await sandbox.control('/disputes/open', { payment_intent: intentId, ...body });
  await refreshDispute(app, id);
  return id;
}

/** Decides a dispute at the provider: `won`, `lost`, `escalated` or `reopened`. */
export async function decideDispute(
  app: TestApp,
  sandbox: CardSandbox,
  disputeId: string,
  outcome: string,
): Promise<void> {
  await sandbox.control('/disputes/decide', { dispute: disputeId, outcome });
  await refreshDispute(app, disputeId);
}

export const readDispute = ({ deps }: Pick<TestApp, 'deps'>, providerDisputeId: string) =>
  deps.db
    .selectFrom('card_disputes')
    .selectAll()
    .where('provider_dispute_id', '=', providerDisputeId)
    .executeTakeFirstOrThrow();
