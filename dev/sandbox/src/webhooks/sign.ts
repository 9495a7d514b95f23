import { createHmac } from 'node:crypto';

/**
 * The provider's signature over the exact body: HMAC-SHA256 of `t.body` with the whole secret,
 * `whsec_` included. `sentAtSeconds` is the time of this very attempt: each retry is signed anew.
 */
export function signPayload(body: string, secret: string, sentAtSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex');
  return `t=${sentAtSeconds},v1=${mac}`;
}
