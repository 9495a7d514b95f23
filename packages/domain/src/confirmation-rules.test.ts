import { describe, expect, it } from 'vitest';
import {
  CONFIRMATION_LIMIT_MAX,
  CONFIRMATION_RULES,
  CONFIRMED_ACTS,
  isRaise,
  limitOf,
  needsConfirmation,
} from './confirmation-rules.ts';
import { usdCents } from './money.ts';

const cents = (count: number) => usdCents(BigInt(count));
const ask = (limit: number, spent: number, worth: number, isFirstTime = false) =>
  needsConfirmation(cents(limit), { spent: cents(spent), worth: cents(worth), isFirstTime });

it('the list of acts is the table of rules', () => {
  expect([...CONFIRMED_ACTS]).toEqual(Object.keys(CONFIRMATION_RULES));
});

describe('a limit', () => {
  it('is 200 USD with a second factor, none without, and what the owner chose before both', () => {
    expect(CONFIRMATION_LIMIT_MAX).toBe(20_000n);
    expect(limitOf(undefined, true)).toBe(20_000n);
    expect(limitOf(undefined, false)).toBeUndefined();
    expect([limitOf(cents(0), true), limitOf(cents(500), false)]).toEqual([0n, 500n]);
  });

  it('is raised by more and by none, and not by less or by the same', () => {
    expect(isRaise(cents(500), cents(501))).toBe(true);
    expect(isRaise(cents(500), undefined)).toBe(true);
    expect(isRaise(cents(500), cents(500))).toBe(false);
    expect(isRaise(cents(500), cents(0))).toBe(false);
    expect(isRaise(undefined, cents(500))).toBe(false);
    expect(isRaise(undefined, undefined)).toBe(false);
  });
});

describe('a spending', () => {
  it('takes a confirmation once the sum passes the limit, not when it reaches it', () => {
    expect([ask(1000, 900, 100), ask(1000, 900, 101)]).toEqual([false, true]);
    expect([ask(0, 0, 0), ask(0, 0, 1)]).toEqual([false, true]);
  });

  it('takes one above a quarter of the limit when the receiver is new', () => {
    expect([ask(1000, 0, 250, true), ask(1000, 0, 251, true)]).toEqual([false, true]);
    expect(ask(1000, 0, 251)).toBe(false);
  });

  it('takes none without a limit', () => {
    const huge = { spent: cents(1e12), worth: cents(1e12), isFirstTime: true };
    expect(needsConfirmation(undefined, huge)).toBe(false);
  });
});
