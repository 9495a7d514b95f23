import { createHmac } from 'node:crypto';

/**
 * Signs the exact body as the provider does: HMAC-SHA256 of `t.body` with the whole secret, including `whsec_`.
 * `sentAtSeconds` is the time of this attempt; each retry gets a new signature.
 */
export function signPayload(body: string, secret: string, sentAtSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${sentAtSeconds}.${body}`).digest('hex');
  return `t=${sentAtSeconds},v1=${mac}`;
}
