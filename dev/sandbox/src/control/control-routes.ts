import { payoutControls } from '../balance/payout-controls.ts';
import { keepDailyPayout } from '../balance/payouts.ts';
import { findCardByName } from '../cards/test-cards.ts';
import {
  answerChallenge,
  confirmIntent,
  findChallenge,
  findIntent,
} from '../payments/confirm-intent.ts';
import { presentPublicIntent } from '../payments/present-intent.ts';
import { disputeControls } from '../disputes/dispute-controls.ts';
import { importPayments } from '../history/import-payments.ts';
import { endRefund } from '../refunds/refund-controls.ts';
import type { Sandbox } from '../sandbox.ts';
import { keepConfiguredEndpoint } from '../webhooks/endpoint-routes.ts';
import type { Fault } from './controls.ts';
import { ControlError, readCount, readWord } from './control-body.ts';
import type { ControlBody, ControlRun } from './control-body.ts';
import { describeState } from './state.ts';

function reset(sandbox: Sandbox): object {
  sandbox.store.transaction(() => {
    sandbox.store.clear();
    sandbox.controls.reset();
    sandbox.clock.reset();
    keepConfiguredEndpoint(sandbox);
    keepDailyPayout(sandbox);
  });
  sandbox.wake();
  return describeState(sandbox);
}

function setLatency(sandbox: Sandbox, body: ControlBody): object {
  sandbox.controls.latencyMs = readCount(body, 'ms', { fallback: 0, max: 60_000 });
  sandbox.controls.save();
  return { latency_ms: sandbox.controls.latencyMs };
}

function addFault(sandbox: Sandbox, body: ControlBody): object {
  const fault: Fault = {
    match: readWord(body, 'match', { fallback: '*' }),
    action: readWord(body, 'action', { fallback: 'error', choices: ['error', 'drop', 'delay'] }),
    phase: readWord(body, 'phase', {
      fallback: 'before',
      choices: ['before', 'during', 'torn', 'after'],
    }),
    status: readCount(body, 'status', { fallback: 500, max: 599 }),
    delayMs: readCount(body, 'delay_ms', { fallback: 0, max: 120_000 }),
    count: readCount(body, 'count', { fallback: 1, max: 1_000_000 }),
  };
  if (fault.status < 400) throw new ControlError('status is not from 400 to 599.');
  sandbox.controls.faults.push(fault);
  sandbox.controls.save();
  return { faults: sandbox.controls.faults };
}

function clearFaults(sandbox: Sandbox): object {
  sandbox.controls.faults.splice(0);
  sandbox.controls.save();
  return { faults: [] };
}

function setWebhooks(sandbox: Sandbox, body: ControlBody): object {
  const before = sandbox.controls.webhooks;
  sandbox.controls.webhooks = {
    delayMs: readCount(body, 'delay_ms', { fallback: before.delayMs, max: 3_600_000 }),
    dropCount: readCount(body, 'drop', { fallback: before.dropCount, min: -1, max: 1_000_000 }),
    loseCount: readCount(body, 'lose', { fallback: before.loseCount, min: -1, max: 1_000_000 }),
    copies: readCount(body, 'copies', { fallback: before.copies, min: 1, max: 100 }),
    order: readWord(body, 'order', {
      fallback: before.order,
      choices: ['as_made', 'reversed', 'random'],
    }),
    match: readWord(body, 'match', { fallback: before.match }),
    windowMs: readCount(body, 'window_ms', { fallback: before.windowMs, max: 60_000 }),
  };
  sandbox.controls.save();
  sandbox.wake();
  return { webhooks: sandbox.controls.webhooks };
}

/** Resends existing events: one by id, or all. */
function resend(sandbox: Sandbox, body: ControlBody): object {
  const eventId = readWord(body, 'event', { fallback: '' });
  const endpoints = sandbox.store.list('webhook_endpoint', { limit: 100 }).data;
  const insert = sandbox.store.db.prepare(
    `insert into outbox (event_id, endpoint_id, attempt_count, due_ms, state)
     select id, ?1, 0, ?2, 'waiting' from objects
     where kind = 'event' and (?3 = '' or id = ?3) order by seq`,
  );
  let count = 0;
  for (const endpoint of endpoints) {
    count += Number(insert.run(endpoint.id, sandbox.clock.nowMs(), eventId).changes);
  }
  sandbox.wake();
  return { deliveries: count };
}

function advanceClock(sandbox: Sandbox, body: ControlBody): object {
  const yearMs = 366 * 86_400_000;
  sandbox.clock.advance(readCount(body, 'advance_ms', { fallback: 0, max: yearMs }));
  sandbox.wake();
  return { now_ms: sandbox.clock.nowMs(), offset_ms: sandbox.clock.offsetMs() };
}

/**
 * Pays an intent, given by id or client secret, with a test card, as a native payment sheet would. `authenticate` decides
 * whether a 3-D Secure challenge is passed, failed or left open.
 */
function confirm(sandbox: Sandbox, body: ControlBody): object {
  const secret = readWord(body, 'client_secret', { fallback: '' });
  const id = readWord(body, 'payment_intent', { fallback: secret.split('_secret_')[0] ?? '' });
  const name = readWord(body, 'card', { fallback: 'pm_card_visa' }).replace(/^pm_card_/, '');
  const choices = ['pass', 'fail', 'leave'] as const;
  const authenticate = readWord(body, 'authenticate', { fallback: 'pass', choices });
  if (findCardByName(name) === undefined) throw new ControlError(`No test card pm_card_${name}.`);
  return sandbox.store.transaction(() => {
    const intent = findIntent(sandbox, id, secret === '' ? undefined : secret);
    const form = { payment_method: `pm_card_${name}`, use_stripe_sdk: 'true' };
    let result = confirmIntent(sandbox, null, intent, form);
    const source = sandbox.store.find('payment_intent', id)?.hidden['source'] ?? '';
    const challenge = findChallenge(sandbox, source);
    if (challenge !== undefined && authenticate !== 'leave') {
      result = answerChallenge(sandbox, challenge.attempt, authenticate === 'pass');
    }
    const error = result.intent.last_payment_error;
    return { payment_intent: presentPublicIntent(result.intent), error };
  });
}

/** The routes of the control plane. Requests and responses are JSON. */
export const controlRoutes: Readonly<Record<string, ControlRun>> = {
  'GET /_sandbox/state': describeState,
  'POST /_sandbox/reset': reset,
  'POST /_sandbox/latency': setLatency,
  'POST /_sandbox/faults': addFault,
  'DELETE /_sandbox/faults': clearFaults,
  'POST /_sandbox/webhooks': setWebhooks,
  'POST /_sandbox/webhooks/resend': resend,
  'POST /_sandbox/clock': advanceClock,
  'POST /_sandbox/confirm': confirm,
  'POST /_sandbox/refunds/end': endRefund,
  ...disputeControls,
  ...payoutControls,
  'POST /_sandbox/import': importPayments,
};
