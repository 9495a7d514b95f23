/** Gives this device the name and venue of an enrolment code made in the console, and a key for redeeming without a network. */
import { makeDeviceKey, proofOf, publicKeyText, sessionIdOf } from '@athos/app-core/device-key';
import { ApiError } from '@athos/client/errors';
import { scannerProofText } from '@athos/domain/offline-log';
import { canKeepKeys, keepDevice, keepKey, readKept, readKey } from '../state/offline-store.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';
import { beginOffline } from './offline-keeper.ts';
import { asStaff } from './staff.ts';

export type EnrolOutcome =
  | {
      readonly kind: 'done';
      readonly name: string;
      readonly venueName: string;
      /** Whether the browser could store a key. */
      readonly hasKey: boolean;
    }
  /** The device has a log that was not sent yet. A new name would start another log. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'failed' };

/** The key of this device, or a new one; `undefined` if the browser can store none. It is stored before the server learns of it. */
async function keyOfDevice(): Promise<CryptoKeyPair | undefined> {
  if (!canKeepKeys()) return undefined;
  try {
    if ((await readKey()) === undefined) await keepKey(await makeDeviceKey());
    return await readKey();
  } catch {
    return undefined;
  }
}

async function hasEntries(): Promise<boolean> {
  if (!canKeepKeys()) return false;
  return readKept().then(
    ({ entries }) => entries.length > 0,
    () => false,
  );
}

/** Never rejects. */
export async function enrolDevice(code: string): Promise<EnrolOutcome> {
  if (await hasEntries()) return { kind: 'waiting' };
  const key = await keyOfDevice();
  try {
    const proof = key && {
      public_key: await publicKeyText(key),
      proof: await proofOf(key, scannerProofText(sessionIdOf(session.token()))),
    };
    const body = { enrolment_code: code, ...(proof !== undefined && { key: proof }) };
    const {
      device_id: deviceId,
      name,
      venue,
    } = await asStaff(client.call('scannerEnrol', { body }));
    if (key !== undefined) {
      await keepDevice({ deviceId, name });
      beginOffline();
    }
    return { kind: 'done', name, venueName: venue.name, hasKey: key !== undefined };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 400 || status === 422) return { kind: 'wrong' };
    return { kind: status === 429 ? 'too_many' : 'failed' };
  }
}
