import { localStore } from './storage.ts';

const DEVICE_ID_KEY = 'device-id';
const DEVICE_ID_BYTES = 16;
const DEVICE_ID_PATTERN = /^[0-9a-f]{32}$/;

/**
 * Returns the random id of this installation, which lasts as long as the browser's storage. It says nothing about the user and is kept
 * secret: a device that has signed in before is not blocked by the wrong passwords of others.
 */
export function readDeviceId(): string {
  const stored = localStore.read(DEVICE_ID_KEY);
  if (stored !== null && DEVICE_ID_PATTERN.test(stored)) return stored;
  const made = crypto
    .getRandomValues(new Uint8Array(DEVICE_ID_BYTES))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
  localStore.write(DEVICE_ID_KEY, made);
  return made;
}
