/** Receipts of movements, and their verification in this browser (docs/receipts.md). */
import type { AnswerOf } from '@athos/contract/api';
import {
  checkReceipt,
  RECEIPT_STEPS,
  type CheckedStep,
  type ExpectedMovement,
  type ReceiptCrypto,
  type ReceiptStep,
  type ReceiptVerdict,
} from '@athos/domain/check-receipt';
import { positionOf } from '@athos/domain/receipt';
import { queryOptions } from '@tanstack/react-query';
import { keepHeads, type Head } from '../state/seen-heads.ts';
import { client } from './http.ts';
import type { Movement } from './history.ts';

export type WireReceipt = NonNullable<AnswerOf<'receipt'>['receipt']>;

/** The seal in readable form, and the movement's position in it. */
export function sealOf(receipt: WireReceipt) {
  const { number, count, sealed_at: sealedAt } = receipt.seal;
  return { number, position: positionOf(receipt), count, sealedAt };
}

/** Polling interval while a movement is not sealed yet. */
const LOOK_AGAIN_MS = 15_000;

/** Null until the movement is sealed. */
export const receiptQuery = (id: number) =>
  queryOptions({
    queryKey: ['receipt', id],
    queryFn: async ({ signal }) =>
      (await client.call('receipt', { params: { id }, signal })).receipt,
    refetchInterval: ({ state }) => (state.data === null ? LOOK_AGAIN_MS : false),
  });

/** The facts that this app shows of the movement, which its receipt must state too. */
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
      // Browsers from before 2025 do not support the algorithm.
      if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined;
      return false;
    }
  },
};

export interface ReceiptToCheck {
  readonly receipt: WireReceipt;
  /** The facts that the receipt must state. */
  readonly expected: ExpectedMovement;
}

export interface CheckedReceipt {
  readonly steps: readonly CheckedStep[];
  /** The head that this browser saw for a day on an earlier check, if another one is published for it now. */
  readonly keptHead: Head | undefined;
}

/**
 * Requests only data that the server publishes to everybody, and nothing about this receipt. The answer is compared with the heads that
 * this browser has kept: a server that signed rewritten books again would otherwise be compared only with itself.
 */
async function checkOne({ receipt, expected }: ReceiptToCheck): Promise<CheckedReceipt> {
  const query = receipt.day === null ? {} : { until: receipt.day.day };
  const { heads, keys } = await client.call('ledgerHeads', { query: { limit: 1, ...query } });
  const keptHead = keepHeads(heads);
  const steps = await checkReceipt(receipt, {
    expected,
    published: { keys, head: receipt.day === null ? undefined : heads[0]?.hash },
    crypto: webCrypto,
  });
  const believed = steps.map((checked) =>
    checked.step === 'published' && keptHead !== undefined
      ? { ...checked, verdict: 'wrong' as const }
      : checked,
  );
  return { steps: believed, keptHead };
}

/** Worst first. */
const VERDICTS = ['wrong', 'unable', 'later', 'right'] as const satisfies readonly ReceiptVerdict[];

/** The verdict of a step is the worst of its verdicts in all receipts. The result ends at the first wrong step. */
export async function checkHere(receipts: readonly ReceiptToCheck[]): Promise<CheckedReceipt> {
  const checks = await Promise.all(receipts.map(checkOne));
  const ofStep = (step: ReceiptStep): CheckedStep[] =>
    checks.flatMap(({ steps }) => steps.filter((checked) => checked.step === step));
  const steps = RECEIPT_STEPS.flatMap((step) => {
    const verdicts = ofStep(step).map(({ verdict }) => verdict);
    const verdict = VERDICTS.find((one) => verdicts.includes(one));
    return verdict === undefined ? [] : [{ step, verdict }];
  });
  const wrongAt = steps.findIndex(({ verdict }) => verdict === 'wrong');
  return {
    steps: wrongAt === -1 ? steps : steps.slice(0, wrongAt + 1),
    keptHead: checks.find(({ keptHead }) => keptHead !== undefined)?.keptHead,
  };
}
