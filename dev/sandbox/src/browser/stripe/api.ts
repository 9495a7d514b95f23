import type { IntentResult, IntentView, StripeError } from '../protocol.ts';

// `document.currentScript` is set only while the script first runs.
const ownScript = document.currentScript;
export const sandboxOrigin =
  ownScript instanceof HTMLScriptElement ? new URL(ownScript.src).origin : location.origin;

const answerTimeoutMs = 30_000;

export function connectionError(): StripeError {
  return {
    type: 'api_connection_error',
    message: 'We could not reach the payment service. Check your connection.',
  };
}

/** Returns the `pi_x` of `pi_x_secret_y`. */
export function readIntentId(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? '';
}

/** Calls `/v1`. Never rejects: a failed request, or a response that is not JSON, resolves to api_connection_error. */
export async function callApi(
  method: 'GET' | 'POST',
  path: string,
  parameters: Record<string, string>,
): Promise<IntentResult> {
  const query = new URLSearchParams(parameters);
  const isGet = method === 'GET';
  try {
    const response = await fetch(`${sandboxOrigin}${path}${isGet ? `?${query}` : ''}`, {
      method,
      credentials: 'omit',
      signal: AbortSignal.timeout(answerTimeoutMs),
      ...(isGet ? {} : { body: query }),
    });
    const body: IntentView & { error?: StripeError } = await response.json();
    return body.error === undefined ? { paymentIntent: body } : { error: body.error };
  } catch {
    return { error: connectionError() };
  }
}

export function retrieveIntent(key: string, clientSecret: string): Promise<IntentResult> {
  const path = `/v1/payment_intents/${readIntentId(clientSecret)}`;
  return callApi('GET', path, { key, client_secret: clientSecret });
}
