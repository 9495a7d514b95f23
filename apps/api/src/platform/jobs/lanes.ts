import type { TaskList } from 'graphile-worker';

/**
 * How many jobs of each kind one worker runs at once. The kinds never wait for each other: with slots in common, sixty mails to a
 * mail server that did not answer delayed card credits by 144 s (measured).
 */
export const LANES = {
  /** Card payments and whatever else a user's balance waits for. They mostly wait for the card provider. */
  money: 4,
  /** As many as there are connections to the mail server. */
  mail: 2,
  /** Pruning, erasing, comparing and encoding: long work for which nobody waits. */
  upkeep: 2,
} as const;

export type Lane = keyof typeof LANES;

/** The jobs of each lane by name. */
export type TasksByLane = Readonly<Partial<Record<Lane, TaskList>>>;
