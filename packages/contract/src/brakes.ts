/** The brakes, which stop a part of the programme for everybody at once. Importing this file does not load zod. */

export const BRAKES = ['buying', 'sending', 'spending', 'redeeming', 'rewards'] as const;
export type BrakeName = (typeof BRAKES)[number];

/** The settings that hold the brakes. Each is null while its brake is released. */
export const BRAKE_SETTINGS = {
  buying: 'brakeBuying',
  sending: 'brakeSending',
  spending: 'brakeSpending',
  redeeming: 'brakeRedeeming',
  rewards: 'brakeRewards',
} as const satisfies Record<BrakeName, string>;

export const brakeKey = (name: BrakeName): string => `brake_${name}`;
/** Whether a setting is a brake. Brakes have their own calls. */
export const isBrakeKey = (key: string): boolean => BRAKES.some((name) => brakeKey(name) === key);
