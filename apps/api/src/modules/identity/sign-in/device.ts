import type { FastifyRequest } from 'fastify';
import { DEVICE_ID_PATTERN } from '@athos/contract/call';
import { readUserAgent } from '../../../platform/http/user-agent.ts';
import { hashesOf, hashOf } from '../../../platform/keys/hashing-keys.ts';

export interface Device {
  /** A keyed hash, so that the stored value does not reveal the device. */
  readonly hash: Buffer;
  /** The hashes under every key, since the device may be stored under any of them. */
  readonly hashes: readonly Buffer[];
  /**
   * Whether the device sent the secret id of its installation. Without one it is only a kind of browser, which anybody can claim to use:
   * enough to spare its owner a mail, never to pass a limit.
   */
  readonly hasId: boolean;
  /** Shown to the owner. Comes from a fixed list, never from the request. */
  readonly label: string;
  /** Like `label`; `undefined` for a device that the list does not know. */
  readonly name: string | undefined;
}

interface DeviceHeaders {
  readonly userAgent: string | undefined;
  readonly deviceId: string | undefined;
}

/**
 * Distinguishes devices by the installation id if the caller sends one, otherwise by browser and system. Versions are
 * ignored, since an update does not make a new device.
 */
export function readDevice(
  { userAgent = '', deviceId }: DeviceHeaders,
  hashingKeys: readonly string[],
): Device {
  const { browser, label, name } = readUserAgent(userAgent);
  const hasId = deviceId !== undefined && DEVICE_ID_PATTERN.test(deviceId);
  // Clients other than browsers are distinguished by name: "curl/8.5.0" is "curl".
  const kind = browser === undefined ? (userAgent.split(/[\s/(]/)[0] ?? '') : label;
  const identity = hasId ? `id ${deviceId}` : `kind ${kind}`;
  return {
    hash: hashOf(hashingKeys, `device ${identity}`),
    hashes: hashesOf(hashingKeys, `device ${identity}`),
    hasId,
    label,
    name,
  };
}

/** The device that sends a request. */
export function deviceOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  hashingKeys: readonly string[],
): Device {
  const deviceId = headers['x-device-id'];
  return readDevice(
    {
      userAgent: headers['user-agent'],
      deviceId: typeof deviceId === 'string' ? deviceId : undefined,
    },
    hashingKeys,
  );
}
