import { ControlError, readWord } from '../control/control-body.ts';
import type { ControlBody, ControlRun } from '../control/control-body.ts';
import type { Sandbox } from '../sandbox.ts';
import { completePayout, failPayout, payOut } from './payouts.ts';

/** Pays out the available balance, and leaves the payout in transit. */
function start(sandbox: Sandbox): object {
  return { payouts: sandbox.store.transaction(() => payOut(sandbox)) };
}

/** Ends a payout as the bank would. A paid one can still fail. */
function end(sandbox: Sandbox, body: ControlBody): object {
  const id = readWord(body, 'payout', { fallback: '' });
  const choices = ['paid', 'failed'] as const;
  const outcome = readWord(body, 'outcome', { fallback: 'paid', choices });
  const code = readWord(body, 'failure_code', { fallback: 'account_closed' });
  return sandbox.store.transaction(() => {
    const payout = sandbox.store.find('payout', id)?.object;
    if (payout === undefined) throw new ControlError(`No payout ${id}.`);
    const isOpen = payout.status === 'in_transit';
    if (outcome === 'paid' && isOpen) return completePayout(sandbox, payout);
    if (outcome === 'failed' && (isOpen || payout.status === 'paid')) {
      return failPayout(sandbox, payout, code);
    }
    throw new ControlError(`The payout ${id} is ${payout.status}.`);
  });
}

export const payoutControls: Readonly<Record<string, ControlRun>> = {
  'POST /_sandbox/payouts': start,
  'POST /_sandbox/payouts/end': end,
};
