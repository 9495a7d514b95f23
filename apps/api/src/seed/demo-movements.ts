/** What the demo's people hold and have sent each other, in whole tokens and hundredths of them. */
import type { TokenAsset } from '@athos/domain/money';

export const demoBalances: readonly (readonly [user: number, asset: TokenAsset, amount: string])[] =
  [
    [0, 'ATH', '2500'],
    [0, 'ATH2', '120'],
    [0, 'ATH3', '40'],
    [1, 'ATH', '640'],
    [1, 'ATH2', '25'],
  ];

/** From and to are places in the list of demo sign-ins. */
export const demoSends: readonly (readonly [from: number, to: number, amount: string])[] = [
  [0, 1, '42.50'],
  [1, 0, '18'],
  [0, 1, '7.25'],
  [1, 0, '95'],
  [0, 1, '120'],
];
