import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { isLoopbackUrl } from '../settings.ts';

const answerTimeoutMs = 5000;

export interface Delivery {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/**
 * Posts one event. Returns null for any 2xx response and a reason for everything else, including redirects. Never
 * rejects, and never contacts another machine.
 */
export function deliver(delivery: Delivery): Promise<string | null> {
  if (!isLoopbackUrl(delivery.url)) return Promise.resolve('not a loopback address');
  const body = Buffer.from(delivery.body);
  // The system time, not the sandbox's, because the receiver compares it with its own clock.
  const sentAtSeconds = Math.floor(Date.now() / 1000);
  return new Promise((resolve) => {
    const call = request(delivery.url, {
      method: 'POST',
      timeout: answerTimeoutMs,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signPayload(delivery.body, delivery.secret, sentAtSeconds),
      },
    });
    call.on('response', (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      response.on('close', () => {
        resolve(status >= 200 && status < 300 ? null : `answered ${status}`);
      });
    });
    call.on('timeout', () => call.destroy(new Error('no answer in time')));
    call.on('error', (error) => resolve(error.message));
    call.end(body);
  });
}

/**
 * Signs the exact body as the provider does: HMAC-SHA256 of `t.body` with the whole secret, including `whsec_`.
 * `sentAtSeconds` is the time of this attempt; each retry gets a new signature.
 */
function signPayload(body: string, secret: string, sentAtSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex');
  return `t=${sentAtSeconds},v1=${mac}`;
}
