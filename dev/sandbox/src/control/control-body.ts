import type Stripe from 'stripe';
import { readId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';

/** An invalid body in a control request; the response is 400 with this message. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

export type ControlBody = Record<string, unknown>;
export type ControlRun = (sandbox: Sandbox, body: ControlBody) => object;

/** Parses a JSON object; an empty body is an empty object. Throws ControlError. */
export function parseControlBody(text: string): ControlBody {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ControlError('The body is not JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlError('The body is not a JSON object.');
  }
  return { ...value };
}

/** Reads an integer within bounds (min 0 by default); returns the fallback if it is absent. Throws ControlError. */
export function readCount(
  body: ControlBody,
  name: string,
  bounds: { fallback: number; min?: number; max: number },
): number {
  const value = body[name] ?? bounds.fallback;
  const min = bounds.min ?? 0;
  if (!Number.isInteger(value) || Number(value) < min || Number(value) > bounds.max) {
    throw new ControlError(`${name} is not a whole number from ${min} to ${bounds.max}.`);
  }
  return Number(value);
}

/** Reads a string, which must be one of the choices if there are any. Throws ControlError. */
export function readWord<T extends string>(
  body: ControlBody,
  name: string,
  options: { fallback: T; choices?: readonly T[] },
): T {
  const value = body[name] ?? options.fallback;
  const isAllowed =
    typeof value === 'string' && (options.choices?.some((choice) => choice === value) ?? true);
  if (!isAllowed) {
    throw new ControlError(`${name} is not ${options.choices?.join(' or ') ?? 'a text'}.`);
  }
  return value as T;
}

/** Finds the successful charge named by `charge` or `payment_intent`. Throws ControlError. */
export function findChargeOf(sandbox: Sandbox, body: ControlBody): Stripe.Charge {
  const intentId = readWord(body, 'payment_intent', { fallback: '' });
  const intent = sandbox.store.find('payment_intent', intentId)?.object;
  const id = readWord(body, 'charge', { fallback: readId(intent?.latest_charge ?? null) });
  const charge = sandbox.store.find('charge', id)?.object;
  if (charge?.status !== 'succeeded') throw new ControlError(`No paid charge ${id || intentId}.`);
  return charge;
}
