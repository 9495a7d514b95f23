/** What the programme can stop for everybody at once. Loads no zod. */

export const BRAKES = ['buying', 'sending', 'spending', 'redeeming', 'rewards'] as const;
export type BrakeName = (typeof BRAKES)[number];

/** The settings that hold them. Each says nothing while its brake is released. */
export const BRAKE_SETTINGS = {
  buying: 'brakeBuying',
  sending: 'brakeSending',
  spending: 'brakeSpending',
  redeeming: 'brakeRedeeming',
  rewards: 'brakeRewards',
} as const satisfies Record<BrakeName, string>;

export const brakeKey = (name: BrakeName): string => `brake_${name}`;
/** Whether a setting is a brake, which has calls of its own. */
export const isBrakeKey = (key: string): boolean => BRAKES.some((name) => brakeKey(name) === key);
