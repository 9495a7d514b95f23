/** The demo's users: their credentials, balances and sends, and the reward codes that they may claim. */
import { brand } from '@athos/brand/brand';
import type { TokenAsset } from '@athos/domain/money';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly role: 'user' | 'scanner' | 'operator';
}

/** The brand's own domain, so that no mail reaches a stranger. */
const domain = brand.supportAddress.split('@').at(-1) ?? 'localhost';

/** These passwords are public. The accounts exist only if DEMO is on, which the API refuses in production. */
export const demoSignIns: readonly DemoSignIn[] = [
  { email: `ada@${domain}`, password: 'Ada-likes-1-drink', role: 'user' },
  { email: `ben@${domain}`, password: 'Ben-likes-2-drinks', role: 'user' },
  { email: `staff@${domain}`, password: 'Staff-scans-3-codes', role: 'scanner' },
];

/** Amounts are decimal text, like all amounts of the demo. `user` is an index in `demoSignIns`. */
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

/** These codes are public. They exist only if DEMO is on, which the API refuses in production. */
export const demoReward = {
  title: 'Welcome drinks',
  amount: '25',
  budget: '5000',
  daysLong: 365,
  /** In the spelling shown to people. Each user may claim each code once. */
  codes: [
    { text: '7K4T-DS21-3SB5-5QDT', claimCountMax: 100 },
    { text: 'V4KF-31SW-5EKH-ZCRP', claimCountMax: 1 },
    { text: 'YX6G-VN9W-8DMJ-4DGW', claimCountMax: 1 },
    { text: 'PSJX-QTEF-73A8-VBH9', claimCountMax: 1 },
    { text: '87C4-1JYQ-0K11-FWZV', claimCountMax: 1 },
  ],
};

export const demoRewardCodes: readonly string[] = demoReward.codes.map(({ text }) => text);
