/** Receipts of movements, and their check in this browser (docs/receipts.md). */
import type { AnswerOf } from '@athos/contract/api';
import {
  checkReceipt,
  type CheckedStep,
  type ExpectedMovement,
  type ReceiptCrypto,
} from '@athos/domain/check-receipt';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import type { Movement } from './history.ts';

export type WireReceipt = NonNullable<AnswerOf<'receipt'>['receipt']>;

/** The seal as a person reads it. */
export const sealOf = ({ seal }: WireReceipt) => ({
  number: seal.number,
  count: seal.count,
  sealedAt: seal.sealed_at,
});

/** How soon a movement is looked at again that is not sealed yet. */
const LOOK_AGAIN_MS = 15_000;

/** Null until the movement is sealed. */
export const receiptQuery = (id: number) =>
  queryOptions({
    queryKey: ['receipt', id],
    queryFn: async ({ signal }) =>
      (await client.call('receipt', { params: { id }, signal })).receipt,
    refetchInterval: ({ state }) => (state.data === null ? LOOK_AGAIN_MS : false),
  });

/** What this app shows of the movement, which its receipt must say too. */
export function expectedOf(movement: Movement): ExpectedMovement {
  const amountUnits = movement.kind === 'purchase' ? movement.priceMicroAth : movement.amountUnits;
  const asset = 'asset' in movement ? movement.asset : 'ATH';
  return { id: String(movement.id), asset, amountUnits: amountUnits.toString() };
}

const webCrypto: ReceiptCrypto = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  async verify(key, text, signature) {
    try {
      const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
      return await crypto.subtle.verify('Ed25519', imported, signature, text);
    } catch (error) {
      // Browsers from before 2025 do not know the algorithm.
      if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined;
      return false;
    }
  },
};

/** Asks the server for what it has published to everybody, and for nothing about this receipt. */
export async function checkHere(
  receipt: WireReceipt,
  expected: ExpectedMovement,
): Promise<readonly CheckedStep[]> {
  const query = receipt.day === null ? {} : { until: receipt.day.day };
  const { heads, keys } = await client.call('ledgerHeads', { query: { limit: 1, ...query } });
  return checkReceipt(receipt, {
    expected,
    published: { keys, head: receipt.day === null ? undefined : heads[0]?.hash },
    crypto: webCrypto,
  });
}
