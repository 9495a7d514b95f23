import { describe, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import { priceWithFees } from '@athos/domain/purchase-price';
import {
  faultOfRefund,
  largestPart,
  leftOf,
  partOfCents,
  partOfTokens,
  returnedAfter,
  totalOf,
  type OrderMoney,
  type Part,
} from './order-shares.ts';

const ROUNDS = 400;

/** A random generator that gives the same numbers in every run. */
function createRandom(seed: number): (below: bigint) => bigint {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (BigInt(state) * below) >> 32n;
  };
}

function orderOf(priceUsdCents: bigint, amountMicroAth: bigint): OrderMoney {
  const price = priceWithFees(usdCents(priceUsdCents));
  return {
    amount_micro_ath: amountMicroAth,
    price_usd_cents: price.priceUsdCents,
    product_fee_usd_cents: price.productFeeUsdCents,
    processing_fee_usd_cents: price.processingFeeUsdCents,
    total_usd_cents: price.totalUsdCents,
    returned_micro_ath: 0n,
    returned_price_usd_cents: 0n,
    returned_product_fee_usd_cents: 0n,
    returned_processing_fee_usd_cents: 0n,
  };
}

const after = (order: OrderMoney, part: Part, sign: 1n | -1n = 1n): OrderMoney => ({
  ...order,
  ...returnedAfter(order, part, sign),
});

function expectNothingNegative(order: OrderMoney, part: Part): void {
  for (const amount of [...Object.values(part), ...Object.values(leftOf(after(order, part)))]) {
    expect(amount).toBeGreaterThanOrEqual(0n);
  }
}

/** Returns random parts, takes some of them back, and finally returns the rest. */
function returnInParts(seed: number, order: OrderMoney): OrderMoney {
  const random = createRandom(seed);
  const parts: Part[] = [];
  let now = order;
  for (let step = random(8n); step > 0n; step -= 1n) {
    const { amountMicroAth: left } = leftOf(now);
    if (left === 0n) break;
    const amount = 1n + random(random(2n) === 0n ? left : left / 50n + 1n);
    const part =
      random(3n) === 0n
        ? partOfCents(now, usdCents(1n + random(totalOf(leftOf(now)))))
        : partOfTokens(now, microAth(amount < left ? amount : left));
    expectNothingNegative(now, part);
    now = after(now, part);
    parts.push(part);
    const failed = random(3n) === 0n ? parts.splice(Number(random(BigInt(parts.length))), 1) : [];
    for (const one of failed) now = after(now, one, -1n);
  }
  const rest = partOfTokens(now, leftOf(now).amountMicroAth);
  expectNothingNegative(now, rest);
  return after(now, rest);
}

describe('the parts of an order', () => {
  it('[O-119] add up to the order to the cent in each account, whatever the parts were and whichever of them failed', () => {
    const random = createRandom(7);
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = orderOf(1_000n + random(9_499_000n), 1n + random(1_000_000_000_000n));
      expect(leftOf(returnInParts(round + 1, order))).toEqual({
        amountMicroAth: 0n,
        priceUsdCents: 0n,
        productFeeUsdCents: 0n,
        processingFeeUsdCents: 0n,
      });
    }
  });

  it('are what docs/cards.md says: each fee rounded down, the price the rest', () => {
    const order = orderOf(1_683n, 100_000_000n);
    const third = partOfTokens(order, microAth(33_333_333n));
    // 1868 × 0.33333333 = 622, 84 × 0.33333333 = 27, 101 × 0.33333333 = 33.
    expect(third).toMatchObject({
      priceUsdCents: 562n,
      productFeeUsdCents: 27n,
      processingFeeUsdCents: 33n,
    });
    const rest = partOfTokens(after(order, third), microAth(66_666_667n));
    expect(totalOf(rest)).toBe(1_868n - 622n);
  });

  it('bring all tokens with the last cent', () => {
    const order = orderOf(1_000n, 59_417_706n);
    const most = partOfCents(order, usdCents(1_109n));
    expect(most.amountMicroAth).toBe((59_417_706n * 1_109n) / 1_110n);
    expect(partOfCents(after(order, most), usdCents(1n)).amountMicroAth).toBe(
      59_417_706n - most.amountMicroAth,
    );
  });
});

describe('a refund', () => {
  it('is at least 1.00 USD and leaves nothing or at least 1.00 USD', () => {
    const order = orderOf(1_000n, 1_110_000_000n);
    const of = (cents: bigint) => faultOfRefund(order, partOfCents(order, usdCents(cents)));
    expect([of(99n), of(100n), of(1_010n), of(1_011n), of(1_109n), of(1_110n)]).toEqual([
      'below_minimum',
      undefined,
      undefined,
      'leaves_too_little',
      'leaves_too_little',
      undefined,
    ]);
  });

  it('is at most what is available, and less if too little would stay', () => {
    const random = createRandom(11);
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = orderOf(1_000n + random(100_000n), 1_000_000n + random(1_000_000_000_000n));
      const available = microAth(1n + random(order.amount_micro_ath));
      const part = largestPart(order, available);
      if (part === undefined) {
        expect(totalOf(partOfTokens(order, available))).toBeLessThan(100n);
        continue;
      }
      expect(part.amountMicroAth).toBeLessThanOrEqual(available);
      expect(faultOfRefund(order, part)).toBeUndefined();
      const more = partOfTokens(order, microAth(part.amountMicroAth + 1n));
      if (part.amountMicroAth < available) {
        expect(faultOfRefund(order, more)).toBe('leaves_too_little');
      }
    }
  });
});
