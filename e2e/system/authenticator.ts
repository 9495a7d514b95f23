/** An authenticator app of a customer. */
import { createHmac } from 'node:crypto';
import { callApi } from './api.ts';
import type { Account } from './accounts.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;
const CODE_COUNT = 1_000_000;

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (sign) => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join(
    '',
  );
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The code that the app shows now (RFC 6238). */
function codeOf(secret: string): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS)));
  const digest = createHmac('sha1', bytesOf(secret)).update(step).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % CODE_COUNT;
  return String(number).padStart(6, '0');
}

/** Adds an app to the account, so that signing in also requires a code. */
export async function addAuthenticator({ token, password }: Account): Promise<void> {
  const { secret } = await callApi('beginAuthenticator', { token, body: { password } });
  await callApi('confirmAuthenticator', { token, body: { code: codeOf(secret) } });
}
