import type { TaskList } from 'graphile-worker';

/**
 * How many jobs of each kind one worker runs at once. The kinds never wait for each other: with shared slots, sixty mails to a mail
 * server that did not answer delayed card credits by 144 s (measured).
 */
export const LANES = {
  /** Card payments and other work on which a user's balance depends. These jobs mostly wait for the card provider. */
  money: 4,
  /** As many as there are connections to the mail server. */
  mail: 2,
  /**
   * Pruning, erasing, comparing and encoding: long work for which no user waits. An export opens a connection besides those of the pools
   * (docs/operating.md, "Connections").
   */
  upkeep: 2,
  /**
   * A walk of the ledger from its first row may take days, and a nightly verification runs beside it. In the slots of `upkeep` they would stop
   * totals, seals and exports meanwhile. Each opens a connection besides those of the pools.
   */
  verification: 2,
} as const;

export type Lane = keyof typeof LANES;

/** The jobs of each lane by name. */
export type TasksByLane = Readonly<Partial<Record<Lane, TaskList>>>;
