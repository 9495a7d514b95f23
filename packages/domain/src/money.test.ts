import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  athHundredths,
  centsNumber,
  divideRoundHalfUp,
  exactAthText,
  formatAthExact,
  FALLBACK_USD_PER_ATH,
  formatApproximateUsd,
  formatAthRoundedUp,
  formatUsd,
  microAth,
  microAthFromHundredths,
  parseAth,
  parseRate,
  parseUnits,
  parseUsdNumber,
  priceOfItems,
  rateNumber,
  rateText,
  tokenUnits,
  units,
  usdCents,
  usdNumber,
  usdOfTokens,
  wholeHundredths,
  type MicroAth,
  type Rate,
  type TokenUnits,
} from './money.ts';

const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(tokenUnits);
const cents = fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }).map(usdCents);
const rates = fc.bigInt({ min: 1n, max: 10n ** 15n }).map((value) => value as Rate);

describe('typed amounts', () => {
  it.each([
    ['12.5', 12_500_000n],
    ['0', 0n],
    ['.5', 500_000n],
    ['5.', 5_000_000n],
    [' 7 ', 7_000_000n],
    ['007', 7_000_000n],
    ['0.0000004', 0n],
    ['0.0000005', 1n],
    ['0.9999995', 1_000_000n],
    ['999999999999', 999_999_999_999_000_000n],
  ])('%j are %d micro-units', (text, micro) => {
    expect(parseAth(text)).toBe(micro);
  });

  it.each([
    '',
    '.',
    '-1',
    '+1',
    '1,5',
    '1e3',
    'NaN',
    '0x10',
    '1.2.3',
    '1 000',
    '1234567890123',
    '١',
  ])('%j is not an amount', (text) => {
    expect(parseAth(text)).toBeUndefined();
  });

  it('survive a round trip through their exact text', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseAth(exactAthText(amount))).toBe(amount);
      }),
    );
  });
});

describe('displayed amounts', () => {
  it('[S9-001] round up to 2 decimals, by less than 0.01', () => {
    expect(formatAthRoundedUp(tokenUnits(1n))).toBe('0.01');
    expect(formatAthRoundedUp(tokenUnits(10_000n))).toBe('0.01');
    expect(formatAthRoundedUp(tokenUnits(1_234_560_001n))).toBe('1,234.57');
    fc.assert(
      fc.property(amounts, (amount) => {
        const shown = parseAth(formatAthRoundedUp(amount).replaceAll(',', '')) ?? 0n;
        expect(shown >= amount && shown - amount < 10_000n).toBe(true);
      }),
    );
  });

  it("[S9-002] abbreviate approximate USD with '~', 'K' from 1,000 and 'M' from 1,000,000", () => {
    expect(formatApproximateUsd(usdCents(8_415n))).toBe('~$84.15');
    expect(formatApproximateUsd(usdCents(99_999n))).toBe('~$999.99');
    expect(formatApproximateUsd(usdCents(100_000n))).toBe('~$1K');
    expect(formatApproximateUsd(usdCents(123_456n))).toBe('~$1.23K');
    expect(formatApproximateUsd(usdCents(99_999_999n))).toBe('~$999.99K');
    expect(formatApproximateUsd(usdCents(100_000_000n))).toBe('~$1M');
    expect(formatApproximateUsd(usdCents(345_000_000n))).toBe('~$3.45M');
    expect(formatAthRoundedUp(tokenUnits(1_500_000_000_000n))).toBe('1,500,000.00');
  });

  it('show US dollars with two decimals and digits in groups of three', () => {
    expect(formatUsd(usdCents(5n))).toBe('$0.05');
    expect(formatUsd(usdCents(10_545_000n))).toBe('$105,450.00');
    expect(formatUsd(usdCents(-123n))).toBe('-$1.23');
  });
});

describe('rates', () => {
  it.each([
    ['0.1683', 16_830_000n],
    [0.1683, 16_830_000n],
    [1e-8, 1n],
    [2.5e-7, 25n],
    ['1.00000000', 100_000_000n],
    ['1.100000000000', 110_000_000n],
  ])('%j is %d x 10^-8', (value, scaled) => {
    expect(parseRate(value)).toBe(scaled);
  });

  it.each([0, -1, NaN, Infinity, 1e21, 1e-9, '', '1,5', '0.123456789', '-0.1', '1e3', 'x'])(
    '%j is no rate',
    (value) => {
      expect(parseRate(value)).toBeUndefined();
    },
  );

  it('survive a round trip through text', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        expect(parseRate(rateText(rate))).toBe(rate);
      }),
    );
  });

  it('survive a round trip through a JSON number, up to 1,000,000 USD', () => {
    const onWire = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((value) => value as Rate);
    fc.assert(
      fc.property(onWire, (rate) => {
        expect(parseRate(rateNumber(rate))).toBe(rate);
      }),
    );
    expect(rateNumber(FALLBACK_USD_PER_ATH)).toBe(0.1683);
  });
});

describe('dollars on the wire', () => {
  it('parse to whole cents or are refused', () => {
    expect(parseUsdNumber(18.68)).toBe(1_868n);
    expect(parseUsdNumber(75.74)).toBe(7_574n);
    expect(parseUsdNumber(0)).toBe(0n);
    for (const value of [18.681, -1, NaN, Infinity, 1e21, 0.1 + 0.2]) {
      expect(parseUsdNumber(value)).toBeUndefined();
    }
  });

  it('survive a round trip', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parseUsdNumber(usdNumber(amount))).toBe(amount);
      }),
    );
    fc.assert(
      fc.property(cents, (amount) => {
        expect(BigInt(centsNumber(amount))).toBe(amount);
      }),
    );
  });
});

describe('formatAthExact', () => {
  it.each([
    [0n, '0.00'],
    [1n, '0.000001'],
    [5_000_000n, '5.00'],
    [1_234_567_890n, '1,234.56789'],
    [-1_234_500_000n, '-1,234.50'],
  ])('writes %s micro-units as %s', (amount, text) => {
    expect(formatAthExact(tokenUnits(amount))).toBe(text);
  });
});

describe('arithmetic', () => {
  it('rounds half up', () => {
    expect(divideRoundHalfUp(5n, 10n)).toBe(1n);
    expect(divideRoundHalfUp(49n, 100n)).toBe(0n);
    expect(divideRoundHalfUp(0n, 7n)).toBe(0n);
  });

  it('[S9-003] computes the approximate USD as balance x rate', () => {
    expect(usdOfTokens(microAth(500_000_000n), 16_830_000n as Rate)).toBe(8_415n);
  });

  it('converts a hundredth of an ATH to 10,000 micro-units', () => {
    expect(microAthFromHundredths(athHundredths(1_250))).toBe(microAth(12_500_000n));
    expect(wholeHundredths(microAth(12_500_000n))).toBe(1_250);
    expect(wholeHundredths(microAth(12_500_001n))).toBeUndefined();
  });

  it('prices the largest line of a cart exactly', () => {
    expect(priceOfItems(athHundredths(2_147_483_647), 99)).toBe(212_600_881_053);
  });

  it('parses units from digits only', () => {
    expect(parseUnits('-5')).toBe(-5n);
    for (const text of ['', '1.5', '1e3', ' 1', '12345678901234567890']) {
      expect(() => parseUnits(text)).toThrow(RangeError);
    }
  });
});

describe('the types of money', () => {
  // The compiler is the test: tsc reports an expected error that does not occur.
  it('keep the assets apart', () => {
    const fee = usdCents(4_999n);
    // @ts-expect-error US cents are not micro-ATH.
    const centsAsAth: MicroAth = fee;
    // @ts-expect-error Units of an unknown asset may be cents.
    const unknownAsAth: MicroAth = units(4_999n);
    // @ts-expect-error ATH2 is another token.
    const otherToken: MicroAth = tokenUnits(4_999n);
    // @ts-expect-error Cents are no token, so they are not shown as one.
    expect(formatAthExact(fee)).toBe('0.004999');
    const token: TokenUnits = microAth(4_999n);
    expect([centsAsAth, unknownAsAth, otherToken]).toEqual([token, token, token]);
  });
});
