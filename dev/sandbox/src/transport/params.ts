import type Stripe from 'stripe';
import { invalidRequest, missingParameter } from './errors.ts';
import type { Form, FormValue } from './form.ts';

/** The parameters of an endpoint: each a text, a list, a free map, a text or map, or nested parameters. */
export type ParamSpec = {
  readonly [name: string]: 'text' | 'list' | 'map' | 'text or map' | ParamSpec;
};

/** Refuses unknown parameters, as the provider does. */
export function refuseUnknown(form: Form, spec: ParamSpec, prefix = ''): void {
  for (const [name, value] of Object.entries(form)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    const kind = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (kind === undefined) {
      throw invalidRequest(`Received unknown parameter: ${path}`, path, 'parameter_unknown');
    }
    if (typeof kind === 'object') {
      if (isForm(value)) refuseUnknown(value, kind, path);
      else if (value !== '') throw invalidRequest('Invalid object', path);
    } else if (kind === 'text' && typeof value !== 'string') {
      throw invalidRequest('Invalid string: expected a single value', path);
    }
  }
}

function isForm(value: FormValue | undefined): value is Form {
  return typeof value === 'object' && !Array.isArray(value);
}

/** The value of a parameter: undefined if it is absent, `''` if the caller unsets it. */
export function readText(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === 'string' ? value : undefined;
}

/** The value of a parameter, or undefined if it is absent or empty. */
export function readGiven(form: Form, name: string): string | undefined {
  return readText(form, name) || undefined;
}

export function readForm(form: Form, name: string): Form {
  const value = form[name];
  return isForm(value) ? value : {};
}

export function readList(form: Form, name: string): string[] {
  const value = form[name];
  const items = Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value];
  return items.map((item) => {
    if (typeof item !== 'string') throw invalidRequest('Invalid array', name);
    return item;
  });
}

/** Reads plain decimal digits; refuses `1e21`, `NaN` and `10.5`. Returns null if absent. */
export function readInteger(form: Form, name: string): number | null {
  const text = readText(form, name);
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (!/^-?\d{1,20}$/.test(text) || !Number.isSafeInteger(value)) {
    throw invalidRequest(
      `Invalid integer: ${text.slice(0, 40)}`,
      name,
      'parameter_invalid_integer',
    );
  }
  return value;
}

export function readBoolean(form: Form, name: string): boolean {
  const text = readGiven(form, name);
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw invalidRequest(`Invalid boolean: ${text.slice(0, 40)}`, name);
}

/** Reads one of the given words; returns the fallback if absent. */
export function readChoice<const T extends string, F>(
  form: Form,
  name: string,
  choices: readonly T[],
  fallback: F,
): T | F {
  const text = readGiven(form, name);
  if (text === undefined) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw invalidRequest(`Invalid ${name}: must be one of ${choices.join(', ')}`, name);
  }
  return found;
}

/** Reads the amount in the currency's smallest unit: 50 to 99,999,999. Throws ApiError 400. */
export function readAmount(form: Form): number {
  const amount = readInteger(form, 'amount');
  if (amount === null) throw missingParameter('amount');
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.';
    throw invalidRequest(message, 'amount', 'parameter_invalid_integer');
  }
  if (amount < 50) {
    throw invalidRequest('Amount must be at least $0.50 usd', 'amount', 'amount_too_small');
  }
  if (amount > 99_999_999) {
    throw invalidRequest('Amount must be no more than $999,999.99', 'amount', 'amount_too_large');
  }
  return amount;
}

/** Merges metadata. `''` as a value deletes its key; `''` for the whole map deletes all keys. */
export function mergeMetadata(before: Stripe.Metadata, form: Form): Stripe.Metadata {
  const value = form['metadata'];
  if (value === undefined) return before;
  if (value === '') return {};
  const merged: Stripe.Metadata = { ...before };
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw invalidRequest('Metadata values must be texts', 'metadata');
    if (key.length > 40) throw invalidRequest('Metadata keys have at most 40 letters', 'metadata');
    if (text.length > 500) throw invalidRequest('Metadata values have at most 500', 'metadata');
    if (text === '') delete merged[key];
    else merged[key] = text;
  }
  if (Object.keys(merged).length > 50) throw invalidRequest('At most 50 metadata keys', 'metadata');
  return merged;
}
