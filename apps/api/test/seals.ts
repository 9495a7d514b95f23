import { createHash, createPublicKey, verify } from 'node:crypto';
import type { ReceiptCrypto } from '@athos/domain/check-receipt';
import { createSealRound } from '../src/modules/receipts/index.ts';
import type { TestApp } from './test-app.ts';

/** Longer than movements wait for their seal. */
const SEALED_AFTER_MS = 6 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface Sealer {
  /** Seals everything, as after the time that movements wait. */
  sealAll(): Promise<void>;
  /** The same on the next day, which ends the one before. */
  endDay(): Promise<void>;
}

/** A worker that seals by a clock of its own, so that no session of the test expires. */
export function createSealer({ deps, clock }: Pick<TestApp, 'deps' | 'clock'>): Sealer {
  let aheadMs = SEALED_AFTER_MS;
  const round = createSealRound({ ...deps, clock: { nowMs: () => clock.nowMs() + aheadMs } });
  async function sealAll(): Promise<void> {
    // After a seal the next round follows at once, and otherwise after a while.
    while ((await round()) < 1_000);
  }
  return {
    sealAll,
    async endDay() {
      await sealAll();
      aheadMs += DAY_MS;
      await sealAll();
    },
  };
}

/** The hash and the signature of Node in place of a browser's. */
export const nodeCrypto: ReceiptCrypto = {
  sha256: (bytes) => Promise.resolve(new Uint8Array(createHash('sha256').update(bytes).digest())),
  verify: (key, text, signature) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
    return Promise.resolve(
      verify(null, text, createPublicKey({ key: jwk, format: 'jwk' }), signature),
    );
  },
};
