import type { Sandbox } from '../sandbox.ts';
import type { Kind } from '../store.ts';
import { withStatus } from '../balance/movements.ts';
import { invalidRequest } from './errors.ts';

const depthMax = 4;

/** The kind of object that each id field refers to. The source of a balance transaction has several; a charge links to most. */
const links: Record<string, Record<string, Kind>> = {
  payment_intent: { latest_charge: 'charge', payment_method: 'payment_method' },
  charge: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
  },
  refund: {
    balance_transaction: 'balance_transaction',
    charge: 'charge',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  'radar.early_fraud_warning': { charge: 'charge', payment_intent: 'payment_intent' },
  payout: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
  },
  balance_transaction: { source: 'charge' },
};

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Refuses paths that cannot be expanded, before the call is executed. `kind` is the kind of object the call returns;
 * the paths of a list begin with `data.`. Throws ApiError 400.
 */
export function checkExpand(paths: readonly string[], kind: string, isList: boolean): void {
  for (const path of paths) {
    const parts = path.split('.');
    const steps = isList ? parts.slice(1) : parts;
    const isPrefixed = !isList || parts[0] === 'data';
    if (!isPrefixed || steps.length === 0 || parts.length > depthMax || !canFollow(kind, steps)) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
    }
  }
}

function canFollow(kind: string, steps: readonly string[]): boolean {
  let current: string | undefined = kind;
  for (const step of steps) current = links[current ?? '']?.[step];
  return current !== undefined;
}

/** Returns a copy in which the ids along the checked paths are replaced by their objects. */
export function expand(sandbox: Sandbox, body: object, paths: readonly string[]): object {
  if (paths.length === 0) return body;
  const copy: object = structuredClone(body);
  for (const path of paths) follow(sandbox, copy, path.split('.'));
  return copy;
}

function follow(sandbox: Sandbox, node: unknown, steps: readonly string[]): void {
  const [step, ...rest] = steps;
  if (step === undefined || !isFields(node)) return;
  const value = node[step];
  if (Array.isArray(value)) {
    for (const item of value) follow(sandbox, item, rest);
    return;
  }
  const isLink = links[String(node['object'])]?.[step] !== undefined;
  if (typeof value === 'string' && isLink) {
    const found = sandbox.store.findAny(value);
    if (found === undefined) return;
    node[step] = found.object === 'balance_transaction' ? withStatus(sandbox, found) : found;
  }
  follow(sandbox, node[step], rest);
}
