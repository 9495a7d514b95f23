import type Stripe from 'stripe';
import { ControlError, findChargeOf, readCount, readWord } from '../control/control-body.ts';
import type { ControlBody, ControlRun } from '../control/control-body.ts';
import { readId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { fraudTypes, warn } from '../warnings/early-fraud-warnings.ts';
import {
  escalateInquiry,
  isClosed,
  keep,
  loseDispute,
  reopenDispute,
  winDispute,
} from './dispute-states.ts';
import { disputeKinds, disputeReasons, openDispute } from './open-dispute.ts';

/** Opens a dispute over the rest of a charge, or over any part of it. */
function open(sandbox: Sandbox, body: ControlBody): object {
  const kind = readWord(body, 'kind', { fallback: 'chargeback', choices: disputeKinds });
  const reason = readWord(body, 'reason', { fallback: 'fraudulent', choices: disputeReasons });
  return sandbox.store.transaction(() => {
    const charge = findChargeOf(sandbox, body);
    const left = charge.amount - charge.amount_refunded;
    const bounds = { fallback: left, min: 1, max: charge.amount };
    return openDispute(sandbox, charge.id, {
      kind,
      reason,
      amount: readCount(body, 'amount', bounds),
    });
  });
}

function findDispute(sandbox: Sandbox, body: ControlBody): Stripe.Dispute {
  const id = readWord(body, 'dispute', { fallback: '' });
  const dispute = sandbox.store.find('dispute', id)?.object;
  if (dispute === undefined) throw new ControlError(`No dispute ${id}.`);
  return dispute;
}

function requireStatus(dispute: Stripe.Dispute, isRight: boolean): Stripe.Dispute {
  if (!isRight) throw new ControlError(`The dispute ${dispute.id} is ${dispute.status}.`);
  return dispute;
}

function requireUnrefunded(sandbox: Sandbox, dispute: Stripe.Dispute): void {
  const charge = sandbox.store.find('charge', readId(dispute.charge))?.object;
  if (charge?.refunded !== false) throw new ControlError('The payment was refunded in full.');
}

/** A decision of the bank. It may also change its mind: win a lost dispute, or lose a won one. */
function decide(sandbox: Sandbox, body: ControlBody): object {
  const choices = ['won', 'lost', 'escalated', 'reopened'] as const;
  const outcome = readWord(body, 'outcome', { fallback: 'won', choices });
  return sandbox.store.transaction(() => {
    const dispute = findDispute(sandbox, body);
    const { status } = dispute;
    const isInquiry = status.startsWith('warning_');
    if (outcome === 'escalated') {
      requireUnrefunded(sandbox, requireStatus(dispute, isInquiry));
      return escalateInquiry(sandbox, dispute);
    }
    requireStatus(dispute, status !== 'prevented');
    if (outcome === 'reopened') {
      return reopenDispute(sandbox, requireStatus(dispute, isClosed(dispute)));
    }
    if (outcome === 'won') {
      const isOver = status === 'won' || status === 'warning_closed';
      return winDispute(sandbox, null, requireStatus(dispute, !isOver));
    }
    return loseDispute(sandbox, null, requireStatus(dispute, status !== 'lost' && !isInquiry));
  });
}

/** Sets any status, even an unknown one, and moves no money. */
function setStatus(sandbox: Sandbox, body: ControlBody): object {
  const status = readWord(body, 'status', { fallback: '' });
  if (!/^[a-z_]{1,40}$/.test(status)) throw new ControlError('status is not a word.');
  return sandbox.store.transaction(() => {
    const dispute = findDispute(sandbox, body);
    return keep(sandbox, null, { before: dispute, after: { ...dispute, status } });
  });
}

function setFees(sandbox: Sandbox, body: ControlBody): object {
  const before = sandbox.controls.disputeFees;
  const max = 100_000;
  sandbox.controls.disputeFees = {
    opened: readCount(body, 'opened', { fallback: before.opened, max }),
    countered: readCount(body, 'countered', { fallback: before.countered, max }),
    returned: readCount(body, 'returned', { fallback: before.returned, max }),
  };
  sandbox.controls.save();
  return { dispute_fees: sandbox.controls.disputeFees };
}

function warnAbout(sandbox: Sandbox, body: ControlBody): object {
  const type = readWord(body, 'fraud_type', {
    fallback: 'made_with_stolen_card',
    choices: fraudTypes,
  });
  return sandbox.store.transaction(() => warn(sandbox, findChargeOf(sandbox, body), type));
}

/** The bank's side of disputes and early fraud warnings. */
export const disputeControls: Readonly<Record<string, ControlRun>> = {
  'POST /_sandbox/disputes/open': open,
  'POST /_sandbox/disputes/decide': decide,
  'POST /_sandbox/disputes/status': setStatus,
  'POST /_sandbox/disputes/fees': setFees,
  'POST /_sandbox/warnings': warnAbout,
};
