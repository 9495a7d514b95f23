/** The durations and repetitions of a run. */
export interface BenchScale {
  readonly rounds: number;
  readonly measureMs: number;
  /** The transfer rate of a new process doubles within 6 s and keeps rising until 10 s, while its code is compiled. */
  readonly warmUpMs: number;
  /** Entries of the user with a long history. */
  readonly longHistory: number;
  readonly fullJournal: number;
  /** A multiple of 20,000. */
  readonly verifiedRows: number;
  readonly console: ConsoleScale;
}

/** The size of the console's data set, and the number of turns of its reads. */
export interface ConsoleScale {
  /** A multiple of 1,000. */
  readonly customers: number;
  /** A multiple of `customers`. */
  readonly journalRows: number;
  readonly auditEntries: number;
  /** The number of turns per round. A turn makes every request once. */
  readonly turnCount: number;
}

export const QUICK: BenchScale = {
  rounds: 1,
  measureMs: 1_500,
  warmUpMs: 1_500,
  longHistory: 10_000,
  fullJournal: 100_000,
  verifiedRows: 100_000,
  console: { customers: 50_000, journalRows: 500_000, auditEntries: 50_000, turnCount: 20 },
};
export const NORMAL: BenchScale = {
  rounds: 5,
  measureMs: 5_000,
  warmUpMs: 10_000,
  longHistory: 100_000,
  fullJournal: 2_000_000,
  verifiedRows: 1_000_000,
  console: { customers: 1_000_000, journalRows: 10_000_000, auditEntries: 200_000, turnCount: 25 },
};
export const LONG: BenchScale = { ...NORMAL, fullJournal: 10_000_000, verifiedRows: 10_000_000 };

/** Connections of the load, and clients of pgbench. */
export const CONNECTIONS = 64;
