/** The only place where the API reads the time, so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** The time of `clock` as a Date, for the database and the wire. */
export const dateOf = (clock: Clock): Date => new Date(clock.nowMs());
