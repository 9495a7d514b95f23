import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microAth, parseRate, usdCents, type Rate } from './money.ts';
import {
  BUY_MAX_USD_CENTS,
  BUY_MIN_USD_CENTS,
  brokenBuyLimit,
  buyAmountFor,
  defaultBuyAmount,
  paymentDescription,
  priceOfTokens,
  priceWithFees,
  tokensOfPrice,
  tokensWorth,
} from './purchase-price.ts';

const rate = (text: string): Rate => {
  const parsed = parseRate(text);
  if (parsed === undefined) throw new Error(`no rate: ${text}`);
  return parsed;
};
const ath = (whole: string) => microAth(BigInt(whole));

const prices = fc.bigInt({ min: BUY_MIN_USD_CENTS, max: BUY_MAX_USD_CENTS }).map(usdCents);
const rates = fc.bigInt({ min: 1n, max: 10_000_000_000n }).map((value) => value as Rate);

describe('fees', () => {
  it.each([
    [1_000n, 50n, 60n, 1_110n],
    [1_001n, 50n, 60n, 1_111n],
    [1_010n, 51n, 61n, 1_122n],
    [1_683n, 84n, 101n, 1_868n],
    [9_999n, 500n, 600n, 11_099n],
    [9_500_000n, 475_000n, 570_000n, 10_545_000n],
  ])('of a price of %d cents are %d and %d, the total %d', (price, fee5, fee6, total) => {
    expect(priceWithFees(usdCents(price))).toEqual({
      priceUsdCents: price,
      productFeeUsdCents: fee5,
      processingFeeUsdCents: fee6,
      totalUsdCents: total,
    });
  });

  it('[S9-005] adds 5 percent, rounded half up to the cent on its own', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const { productFeeUsdCents, processingFeeUsdCents, totalUsdCents } = priceWithFees(price);
        expect(productFeeUsdCents).toBe((price * 5n + 50n) / 100n);
        expect(totalUsdCents - productFeeUsdCents).toBe(price + processingFeeUsdCents);
      }),
    );
  });

  it('[S9-006] adds 6 percent, rounded half up to the cent on its own', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const { productFeeUsdCents, processingFeeUsdCents, totalUsdCents } = priceWithFees(price);
        expect(processingFeeUsdCents).toBe((price * 6n + 50n) / 100n);
        expect(totalUsdCents - processingFeeUsdCents).toBe(price + productFeeUsdCents);
      }),
    );
  });

  it('differ by a cent from 11 percent rounded once, for a quarter of all prices', () => {
    let differing = 0;
    for (let price = 1_000n; price < 2_000n; price += 1n) {
      const once = price + (price * 11n + 50n) / 100n;
      if (priceWithFees(usdCents(price)).totalUsdCents !== once) differing += 1;
    }
    expect(differing).toBe(250);
  });
});

describe('price of tokens', () => {
  it('[D-113] is tokens x rate in cents, rounded half up', () => {
    // 75.735 exactly: a float makes 75.73 of it.
    expect(priceOfTokens(ath('450000000'), rate('0.1683')).priceUsdCents).toBe(7_574n);
    expect(priceOfTokens(ath('100000000'), rate('0.1683')).priceUsdCents).toBe(1_683n);
  });

  it('[D-113] follows (T x R + 5 x 10^11) div 10^12 for every amount and rate', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1_000_000_000_000_000n }),
        rates,
        (amount, usdPerAth) => {
          expect(priceOfTokens(microAth(amount), usdPerAth).priceUsdCents).toBe(
            (amount * usdPerAth + 500_000_000_000n) / 1_000_000_000_000n,
          );
        },
      ),
    );
  });
});

describe('tokens of a price', () => {
  it('[D-098] are the whole hundredths of an ATH nearest to price / rate', () => {
    fc.assert(
      fc.property(prices, rates, (price, usdPerAth) => {
        const amount = tokensOfPrice(price, usdPerAth);
        expect(amount % 10_000n).toBe(0n);
        // |amount - price / rate| <= half a hundredth, both sides multiplied by 2 x rate.
        const error = 2n * (amount * usdPerAth - price * 1_000_000_000_000n);
        expect(error <= 10_000n * usdPerAth && error >= -10_000n * usdPerAth).toBe(true);
      }),
    );
  });

  it('cost the same price again at a rate below 1 USD', () => {
    const below = fc.bigInt({ min: 1n, max: 99_999_999n }).map((value) => value as Rate);
    fc.assert(
      fc.property(prices, below, (price, usdPerAth) => {
        const amount = tokensOfPrice(price, usdPerAth);
        expect(priceOfTokens(amount, usdPerAth).priceUsdCents).toBe(price);
      }),
    );
  });
});

describe('limits', () => {
  it('[D-114] apply to the price without fees: 10 USD to 95000 USD', () => {
    expect(brokenBuyLimit(usdCents(999n))).toBe('below_minimum');
    expect(brokenBuyLimit(usdCents(1_000n))).toBeUndefined();
    expect(brokenBuyLimit(usdCents(9_500_000n))).toBeUndefined();
    expect(brokenBuyLimit(usdCents(9_500_001n))).toBe('above_maximum');
  });

  it('make the default amount cost at least 10 USD, and a hundredth less at most 10 USD', () => {
    fc.assert(
      fc.property(rates, (usdPerAth) => {
        const amount = defaultBuyAmount(usdPerAth);
        expect(amount % 10_000n).toBe(0n);
        expect(amount * usdPerAth >= 1_000_000_000_000_000n).toBe(true);
        expect((amount - 10_000n) * usdPerAth < 1_000_000_000_000_000n).toBe(true);
      }),
    );
    expect(defaultBuyAmount(rate('0.1683'))).toBe(59_420_000n);
  });
});

describe('the amount for what is missing', () => {
  const usdPerAth = rate('0.1683');

  it.each([
    ['rounded up to 2 decimals', 1_070_500_001n, 1_070_510_000n],
    ['exactly that', 1_095_000_000n, 1_095_000_000n],
    ['the smallest purchase', 1n, 59_420_000n],
    ['the largest purchase', 9_000_000_000_000n, 564_468_210_000n],
  ])('is %s', (_name, missing, amount) => {
    expect(buyAmountFor(ath(String(missing)), usdPerAth)).toBe(amount);
  });

  it('can be bought, whatever is missing and at any rate', () => {
    // Above 95,000 USD per hundredth no amount with 2 decimals would be small enough.
    const missing = fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }).map(microAth);
    fc.assert(
      fc.property(missing, rates, (lacked, usd) => {
        const { priceUsdCents } = priceOfTokens(buyAmountFor(lacked, usd), usd);
        // A transfer's largest amount may cost less than the minimum at a tiny rate.
        if (priceUsdCents >= BUY_MIN_USD_CENTS) {
          expect(brokenBuyLimit(priceUsdCents)).toBeUndefined();
        }
      }),
    );
  });

  it('is worth at least a chosen price, and a hundredth less is not', () => {
    fc.assert(
      fc.property(prices, rates, (price, usd) => {
        const amount = tokensWorth(price, usd);
        expect(amount * usd >= price * 1_000_000_000_000n).toBe(true);
        expect((amount - 10_000n) * usd < price * 1_000_000_000_000n).toBe(true);
      }),
    );
  });
});

it('[S3-018] describes a payment as its price to 2 decimals and "USD into $ATH"', () => {
  expect(paymentDescription(usdCents(1_000n), 'ATH')).toBe('10.00 USD into $ATH');
  expect(paymentDescription(usdCents(9_500_005n), 'ATH')).toBe('95000.05 USD into $ATH');
});
