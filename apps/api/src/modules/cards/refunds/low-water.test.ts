import { describe, expect, it } from 'vitest';
import { TransferKind } from '../../../ledger/index.ts';
import { lowWaterOf, type Movement } from './low-water.ts';

const { CardCredit, Hold, Purchase, PurchaseRefund, Refund, Release, Reward, Send } = TransferKind;
const { SendHeld, SendReturned } = TransferKind;

interface Step {
  readonly kind: TransferKind;
  /** Negative if the account paid. */
  readonly by: bigint;
  readonly key?: string;
  readonly isWithProgramme?: boolean;
}

/** The low water since the first of these steps, for an account that held `before`. */
function lowWater(steps: readonly Step[], before = 0n): bigint {
  let balance = before;
  const movements = steps.map(({ kind, by, key = crypto.randomUUID(), isWithProgramme = true }) => {
    balance += by;
    const amountUnits = by < 0n ? -by : by;
    return { kind, key, isPaid: by < 0n, isWithProgramme, amountUnits, balanceAfterUnits: balance };
  });
  return lowWaterOf(movements.toReversed() satisfies Movement[]);
}

describe('the low water of an order', () => {
  it('[O-113] is not raised by rewards and gifts that came later', () => {
    const steps = [
      { kind: CardCredit, by: 100n },
      { kind: Send, by: -80n },
      { kind: Reward, by: 500n },
      { kind: Send, by: 500n, isWithProgramme: false },
    ];
    expect(lowWater(steps)).toBe(20n);
    expect(lowWater(steps, 50n)).toBe(70n);
  });

  it('[O-114] counts a refunded purchase as never made', () => {
    const concert = { kind: Purchase, by: -90n, key: 'concert' };
    const steps = [{ kind: CardCredit, by: 100n }, concert];
    expect(lowWater([...steps, { kind: PurchaseRefund, by: 90n, key: 'concert' }])).toBe(100n);
    expect(lowWater([...steps, { kind: PurchaseRefund, by: 40n, key: 'concert' }])).toBe(50n);
  });

  it('counts a refunded purchase from before the order as never made, too', () => {
    const steps = [
      { kind: CardCredit, by: 50n },
      { kind: Send, by: -50n },
      { kind: PurchaseRefund, by: 70n },
    ];
    expect(lowWater(steps)).toBe(70n);
  });

  it('takes a refund without the key of its purchase to undo the newest ones', () => {
    const steps = [
      { kind: CardCredit, by: 100n },
      { kind: Purchase, by: -100n },
      { kind: Reward, by: 60n },
      { kind: Purchase, by: -60n },
      { kind: PurchaseRefund, by: 60n },
    ];
    expect(lowWater(steps)).toBe(0n);
  });

  it('counts what was held and given back as never gone', () => {
    const steps = [
      { kind: CardCredit, by: 100n },
      { kind: Hold, by: -100n, key: 'request' },
      { kind: Release, by: 100n, key: 'request' },
      { kind: Refund, by: -60n, key: 'refund' },
      { kind: Refund, by: 60n, key: 'refund' },
    ];
    expect(lowWater(steps)).toBe(100n);
  });

  it('counts a send that came back as never made, and one that arrived as made', () => {
    const steps = [
      { kind: CardCredit, by: 100n },
      { kind: SendHeld, by: -70n, key: 'first' },
      { kind: Reward, by: 30n },
      { kind: SendHeld, by: -40n, key: 'second' },
      { kind: SendReturned, by: 70n, key: 'first' },
    ];
    expect(lowWater(steps)).toBe(90n);
    expect(lowWater(steps.slice(0, -1))).toBe(20n);
  });

  it('is not raised by another user who returns a send under the same key', () => {
    const steps = [
      { kind: CardCredit, by: 100n },
      { kind: Send, by: -100n, key: 'chosen', isWithProgramme: false },
      { kind: Send, by: 100n, key: 'chosen', isWithProgramme: false },
    ];
    expect(lowWater(steps)).toBe(0n);
  });

  it('is what it would be if the returned payments had not been made, whatever lies between', () => {
    let state = 5;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 500; round += 1) {
      const steps: Step[] = [{ kind: CardCredit, by: 100n }];
      const real: bigint[] = [];
      const waiting: Step[] = [];
      for (let step = 0; step < 12; step += 1) {
        const by = BigInt(1 + random(40));
        const choice = random(4);
        if (choice === 0) steps.push({ kind: Reward, by });
        else if (choice === 1) steps.push({ kind: Send, by: -by });
        else if (choice === 2) {
          const hold = { kind: Hold, by: -by, key: `${round}/${step}` };
          steps.push(hold);
          waiting.push(hold);
        } else {
          const [hold] = waiting.splice(random(waiting.length), 1);
          if (hold === undefined) continue;
          steps.push({ kind: Release, by: -hold.by, key: hold.key ?? '' });
        }
      }
      const undone = new Set(steps.flatMap(({ kind, key }) => (kind === Release ? [key] : [])));
      let balance = 0n;
      for (const { by, key } of steps) {
        if (key === undefined || !undone.has(key)) balance += by;
        real.push(balance);
      }
      const expected = real.reduce((low, value) => (value < low ? value : low));
      expect(lowWater(steps)).toBe(expected);
    }
  });
});
