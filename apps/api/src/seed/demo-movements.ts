/** Balances of the demo users and the sends between them, as decimal text. */
import type { TokenAsset } from '@athos/domain/money';

export const demoBalances: readonly (readonly [user: number, asset: TokenAsset, amount: string])[] =
  [
    [0, 'ATH', '2500'],
    [0, 'ATH2', '120'],
    [0, 'ATH3', '40'],
    [1, 'ATH', '640'],
    [1, 'ATH2', '25'],
  ];

/** `from` and `to` are indices in `demoSignIns`. */
export const demoSends: readonly (readonly [from: number, to: number, amount: string])[] = [
  [0, 1, '42.50'],
  [1, 0, '18'],
  [0, 1, '7.25'],
  [1, 0, '95'],
  [0, 1, '120'],
];
