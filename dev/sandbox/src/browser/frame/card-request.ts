import type { FrameAnswer, StripeError } from '../protocol.ts';
import { readDigits } from './card-number.ts';
import type { FieldValues } from './field-errors.ts';

const answerTimeoutMs = 30_000;

/** Builds the API's card parameters, nested below `prefix`. */
export function describeMethod(values: FieldValues, prefix: string): Record<string, string> {
  const name = (path: readonly string[]): string => {
    const [first = '', ...rest] = prefix === '' ? path : [prefix, ...path];
    return first + rest.map((part) => `[${part}]`).join('');
  };
  const expiry = readDigits(values.expiry);
  return {
    [name(['type'])]: 'card',
    [name(['card', 'number'])]: readDigits(values.number),
    [name(['card', 'exp_month'])]: String(Number(expiry.slice(0, 2))),
    [name(['card', 'exp_year'])]: String(2000 + Number(expiry.slice(2))),
    [name(['card', 'cvc'])]: values.cvc,
    [name(['billing_details', 'address', 'country'])]: values.country,
    [name(['billing_details', 'address', 'postal_code'])]: values.postalCode.trim(),
  };
}

/** Posts to the sandbox's own origin. Never rejects: a failed request resolves to api_connection_error. */
export async function postForm(
  path: string,
  parameters: Record<string, string>,
): Promise<FrameAnswer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      // Browsers resend a request when a kept-alive connection breaks. The key prevents a second charge.
      headers: { 'Idempotency-Key': crypto.randomUUID() },
      signal: AbortSignal.timeout(answerTimeoutMs),
      body: new URLSearchParams(parameters),
    });
    const body: { error?: StripeError } = await response.json();
    return body.error === undefined ? { value: body } : { error: body.error };
  } catch {
    const message = 'We could not reach the payment service. Check your connection.';
    return { error: { type: 'api_connection_error', message } };
  }
}
