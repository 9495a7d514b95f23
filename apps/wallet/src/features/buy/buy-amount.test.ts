import { parseRate, type Rate } from '@athos/domain/money';
import { describe, expect, it } from 'vitest';
import {
  amountText,
  buyFault,
  stripLeadingZeros,
  totalOfText,
  usdOfText,
  wishIn,
} from './buy-amount.ts';

const rate = (text: string): Rate => {
  const parsed = parseRate(text);
  if (parsed === undefined) throw new Error(`not a rate: ${text}`);
  return parsed;
};

describe('stripLeadingZeros', () => {
  it.each([
    ['007', '7'],
    ['0', '0'],
    ['00', '0'],
    ['0.5', '0.5'],
    ['00.5', '0.5'],
    ['100', '100'],
    ['', ''],
    ['.5', '.5'],
  ])('[S5-031] turns %j into %j', (typed, text) => {
    expect(stripLeadingZeros(typed)).toBe(text);
  });
});

describe('the default amount', () => {
  it.each([
    ['0.1683', '59.42'],
    ['0.1', '100'],
    ['0.3', '33.34'],
    ['10', '1'],
    ['3', '3.34'],
  ])('[S5-030] at a rate of %s is %s ATH: 10 USD, rounded up to 2 decimals', (usdPerAth, text) => {
    expect(amountText(wishIn(''), rate(usdPerAth))).toBe(text);
    expect(buyFault(text, rate(usdPerAth))).toBeUndefined();
  });
});

describe('the amount of an address', () => {
  it.each([
    ['?amount=1095', '1095'],
    ['?amount=1070.500001&back=%2Fapp%2Fcart', '1070.51'],
    ['?amount=0.01', '59.42'],
    ['?amount=9999999', '564468.21'],
    ['?amount=-3', '59.42'],
    ['?amount=all', '59.42'],
  ])('%s is %s ATH, within the limits of one purchase', (search, text) => {
    const usdPerAth = rate('0.1683');
    expect(amountText(wishIn(search), usdPerAth)).toBe(text);
    expect(buyFault(text, usdPerAth)).toBeUndefined();
  });
});

describe('totalOfText', () => {
  it.each([
    ['100', 1868n],
    ['101', 1887n],
    ['59', undefined],
    ['', undefined],
    ['9999999', undefined],
  ])('of %j at a rate of 0.1683 is %s cents', (text, cents) => {
    expect(totalOfText(text, rate('0.1683'))).toBe(cents);
  });
});

describe('usdOfText', () => {
  it.each([
    ['450', '0.1683', 7574n],
    ['100', '0.1683', 1683n],
    ['0.05', '0.1', 1n],
    ['0.04', '0.1', 0n],
    ['', '0.1', undefined],
  ])('[S5-032] of %s at a rate of %s is %s cents, rounded half up', (text, usdPerAth, cents) => {
    expect(usdOfText(text, rate(usdPerAth))).toBe(cents);
  });
});

describe('buyFault', () => {
  it.each([
    ['', 'empty'],
    ['.', 'empty'],
    ['0', 'below_minimum'],
    // 9.994 and 9.995 USD: the price in cents decides.
    ['99.94', 'below_minimum'],
    ['99.95', undefined],
    ['100', undefined],
    ['950000', undefined],
    ['950000.04', undefined],
    ['950000.05', 'above_maximum'],
    ['9999999999999999', 'above_maximum'],
  ])('[S5-033] [S5-034] [S5-035] of %j at a rate of 0.1 is %s', (text, fault) => {
    expect(buyFault(text, rate('0.1'))).toBe(fault);
  });

  it('refuses more tokens than one transfer may move, however cheap', () => {
    expect(buyFault('1000000001', rate('0.00000002'))).toBe('above_maximum');
  });
});
