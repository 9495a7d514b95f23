/** Gives a scanner's key its log, once the device has proved that it holds the key. */
import { verify } from 'node:crypto';
import { scannerProofText } from '@athos/domain/offline-log';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { phoneKey } from '../offline/phone-key.ts';
import { enrolLog } from './logs.sql.ts';

export interface GivenKey {
  /** The public key as base64url, like the proof. */
  readonly public_key: string;
  readonly proof: string;
}

/** The bytes of the key. Throws `invalid_proof`. */
export function provenKey({ public_key: publicKey, proof }: GivenKey, sessionId: string): Buffer {
  const bytes = Buffer.from(publicKey, 'base64url');
  const key = phoneKey(bytes);
  const isProven =
    key !== undefined &&
    verify(
      'sha256',
      Buffer.from(scannerProofText(sessionId)),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(proof, 'base64url'),
    );
  if (!isProven) throw new AppError('invalid_proof');
  return bytes;
}

/** Returns the id with which the device refers to its log. Throws `device_blocked` for the key of a blocked device. */
export async function enrolKey(
  tx: Tx,
  enrolled: { readonly deviceId: string; readonly publicKey: Buffer; readonly at: Date },
): Promise<string> {
  const id = await enrolLog(tx, enrolled);
  if (id === undefined) throw new AppError('device_blocked');
  return id;
}
