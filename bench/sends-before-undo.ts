/**
 * Sends as they were before they could be undone (decision 0058): at once, without confirmations and limits of the account. The
 * measurement compares the product's sends to them within one process.
 */
import { api } from '@athos/contract/api';
import { parseUnits } from '@athos/domain/money';
import type { buildApp } from '../apps/api/src/app.ts';
import type { createDeps } from '../apps/api/src/deps.ts';
import { TransferKind, userAccountId } from '../apps/api/src/ledger/index.ts';
import {
  createRecipients,
  createSendCount,
  type sendAsset,
} from '../apps/api/src/modules/transfers/index.ts';
import { endpoint } from '../apps/api/src/platform/http/endpoint.ts';
import { createAttemptLimit } from '../apps/api/src/platform/limits/attempt-limit.ts';
import { brakeRefusal } from '../apps/api/src/platform/settings/brakes.ts';
import { SEND_BEFORE_UNDO_PATH } from './programs.ts';

type Send = Omit<Parameters<typeof sendAsset>[1], 'undo'>;

const call = {
  method: 'POST',
  path: SEND_BEFORE_UNDO_PATH,
  auth: 'user',
  keyed: true,
  needsTerms: true,
  summary: 'Send to another user, at once',
  body: api.transfer.body.omit({ undo: true, undo_seconds: true }),
  answer: api.transfer.answer.omit({ hold: true }),
} as const;

export function registerSendsBeforeUndo(
  app: Awaited<ReturnType<typeof buildApp>>,
  deps: ReturnType<typeof createDeps>,
): void {
  const { ledger, clock, config, programme } = deps;
  const findRecipient = createRecipients(deps.db);
  const sendCount = createSendCount(deps);
  const takeSend = createAttemptLimit(clock, config.limits.sendsPerSecond);

  async function requireRecipient(senderId: bigint, recipientUuid: string): Promise<bigint> {
    const found = await findRecipient(recipientUuid);
    if (found?.isOpen !== true) throw new Error('no such recipient');
    if (found.userId === senderId) throw new Error('the recipient is the sender');
    return found.userId;
  }

  async function requireWithinLimits(senderId: bigint, amountUnits: bigint): Promise<void> {
    const stopped = await brakeRefusal(programme, 'sending');
    if (stopped !== undefined) throw stopped;
    const { sendUnitsMin, sendsPerDayMax } = await programme();
    if (amountUnits < sendUnitsMin) throw new Error('the amount is too small');
    const retryAfterSeconds = await sendCount.take(senderId, sendsPerDayMax);
    if (retryAfterSeconds !== undefined) throw new Error('too many sends in 24 hours');
  }

  async function send({ senderId, recipientUuid, amountUnits, asset, key }: Send) {
    const recipientId = await requireRecipient(senderId, recipientUuid);
    await requireWithinLimits(senderId, amountUnits);
    const result = await ledger.transfer({
      debitAccountId: userAccountId(senderId, asset),
      creditAccountId: userAccountId(recipientId, asset),
      amountUnits,
      kind: TransferKind.Send,
      key,
    });
    if (result.outcome !== 'done') throw new Error(`the ledger's outcome: ${result.outcome}`);
    return result;
  }

  endpoint(app, deps, call, async ({ user, body, key }) => {
    await takeSend(user.userId, () => ledger.isKeyUsed(user.userId, key));
    const sent = await send({
      senderId: user.userId,
      recipientUuid: body.to_uuid,
      amountUnits: parseUnits(body.amount),
      asset: body.asset,
      key,
    });
    return { id: Number(sent.transferId), balance: sent.debitAfterUnits.toString() };
  });
}
