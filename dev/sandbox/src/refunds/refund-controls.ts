import { ControlError, readWord } from '../control/control-body.ts';
import type { ControlBody } from '../control/control-body.ts';
import type { Sandbox } from '../sandbox.ts';
import { returnRefund, succeedRefund } from './refund-states.ts';
import type { FailureReason } from './refund-states.ts';

const failureReasons: readonly FailureReason[] = [
  'charge_for_pending_refund_disputed',
  'declined',
  'expired_or_canceled_card',
  'insufficient_funds',
  'lost_or_stolen_card',
  'merchant_request',
  'unknown',
];

/**
 * Ends a refund as the bank or the dashboard would. Only a pending refund can succeed or be canceled; one that succeeded
 * can still fail.
 */
export function endRefund(sandbox: Sandbox, body: ControlBody): object {
  const id = readWord(body, 'refund', { fallback: '' });
  const choices = ['succeeded', 'failed', 'canceled'] as const;
  const outcome = readWord(body, 'outcome', { fallback: 'succeeded', choices });
  const reason = readWord<FailureReason>(body, 'failure_reason', {
    fallback: outcome === 'canceled' ? 'merchant_request' : 'expired_or_canceled_card',
    choices: failureReasons,
  });
  return sandbox.store.transaction(() => {
    const refund = sandbox.store.find('refund', id)?.object;
    if (refund === undefined) throw new ControlError(`No refund ${id}.`);
    const isPossible =
      refund.status === 'pending' || (outcome === 'failed' && refund.status === 'succeeded');
    if (!isPossible) throw new ControlError(`The refund ${id} is ${refund.status}.`);
    if (outcome === 'succeeded') return succeedRefund(sandbox, refund);
    return returnRefund(sandbox, refund, { status: outcome, reason });
  });
}
