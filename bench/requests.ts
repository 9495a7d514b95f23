/** The bytes of the measured requests. */
import { randomFillSync } from 'node:crypto';
import { uuidv7 } from '@athos/domain/uuid';
import type { LoadPlan, LoadUser } from './load-plan.ts';

/** 0.001 ATH. */
const AMOUNT_MICRO = '1000';

const random = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => randomFillSync(bytes);
export const newKey = (): string => uuidv7(Date.now(), random);

export function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

export function transferRequest(sender: LoadUser, recipientUuid: string, key: string): string {
  const body = `{"amount":"${AMOUNT_MICRO}","to_uuid":"${recipientUuid}"}`;
  return (
    `POST /api/account/transfer HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${sender.token}\r\n` +
    `idempotency-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

const getRequest = (path: string, { token }: LoadUser): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`;

/** Makes one request after the other, each new. */
export function requestMaker({ request }: LoadPlan): () => string {
  if (request.kind === 'get') return () => getRequest(request.path, pick(request.callers));
  return () => {
    const sender = pick(request.senders);
    let recipientUuid = pick(request.recipientUuids);
    while (recipientUuid === sender.uuid) recipientUuid = pick(request.recipientUuids);
    return transferRequest(sender, recipientUuid, newKey());
  };
}
