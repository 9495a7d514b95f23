import { tokenUnits } from '@athos/domain/money';
import { describe, expect, it } from 'vitest';
import { amountFault } from './amount-fault.ts';

/** Shown as 1,234.57, rounded up. */
const BALANCE = tokenUnits(1_234_567_890n);

describe('amountFault', () => {
  it.each(['', '.', '0', '0.0', '0.0000001', '000'])('[S5-036] treats %j as empty', (text) => {
    expect(amountFault(text, BALANCE)).toBe('empty');
  });

  it.each(['1234.567891', '1234.57', '1000000000', '9'.repeat(40)])(
    '[S5-037] [D-130] finds %s above the raw balance',
    (text) => {
      expect(amountFault(text, BALANCE)).toBe('above_balance');
    },
  );

  it.each(['1234.56789', '1234.56', '0.000001', '7.'])('[S5-037] accepts %s', (text) => {
    expect(amountFault(text, BALANCE)).toBeUndefined();
  });

  it('reports an unknown balance', () =>
    expect(amountFault('1', undefined)).toBe('balance_unknown'));
});
