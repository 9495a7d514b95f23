import { expect, it } from 'vitest';
import { tokenUnits, usdCents } from './money.ts';
import { isUnusualSend } from './usual-send.ts';

const units = (amount: number) => tokenUnits(BigInt(amount));

it.each([
  ['three times the largest', 300, 10_000, [100, 20], false],
  ['more than three times the largest', 301, 10_000, [100, 20], true],
  ['50 USD', 1_000, 5_000, [1], false],
  ['more than 50 USD', 1_000, 5_001, [1], true],
  ['the first send', 1_000, 10_000, [], false],
])('[W-062] calls %s unusual or not', (_name, amount, usd, earlier, isUnusual) => {
  const send = { amount: units(amount), usd: usdCents(BigInt(usd)) };
  expect(isUnusualSend(send, earlier.map(units))).toBe(isUnusual);
});

it('calls nothing unusual whose value in USD is unknown', () => {
  expect(isUnusualSend({ amount: units(1_000), usd: undefined }, [units(1)])).toBe(false);
});
