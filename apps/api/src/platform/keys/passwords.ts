/**
 * Hashes passwords with argon2id. Hashing occupies a core for tens of milliseconds, more than anything else in a request. It
 * runs on other threads, at most `hashesAtOnce` at a time: with the default of 1, a burst of sign-ins occupies one core.
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import type { Caller } from '../limits/caller.ts';
import { createGate, type Gate } from '../limits/gate.ts';

/** OWASP password storage: argon2id (the default of the library), 19 MiB, 2 passes, 1 lane. 22 ms (measured). */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** About 4 s of work: even on a slower machine, the last in the queue finishes before the client's timeout of 10 s. */
const WAITING_MAX = 200;
/** Below the timeout of endpoints, so that nothing is hashed for a request that has already ended. */
const WAIT_MAX_MS = 7_000;

const LINE = { waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS };

/** The line is already fair, so the few requests that have passed it run in the order of arrival. */
const IN_LINE: Caller = ['in line'];

/** The hash of an unknown password, which costs as much to verify as a real one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gYWNjb3VudCBoZXJlIQ$7u3oHn0ZCwZRRHpTNVOgH2uYRKlQYZm5XyTqEw0c0bI';

export interface Passwords {
  /** Returns the argon2id hash as a PHC string with a random salt. Throws `overloaded`. */
  hash(password: string): Promise<string>;
  /** Whether `password` matches `hash`. Throws `overloaded`. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify` if there is no hash, so that timing reveals nothing. Returns false. Throws `overloaded`. */
  verifyNothing(password: string): Promise<boolean>;
  /**
   * A gate for entire requests that will hash. They queue before they take a database connection, so that a burst leaves the
   * connections to others. Requests of one caller pass one at a time, so that a right password is judged before the next attempt
   * counts. Throws `overloaded`.
   */
  readonly line: Gate;
}

export function createPasswords(hashesAtOnce: number): Passwords {
  const pass = createGate({ atOnceMax: hashesAtOnce, ...LINE });
  const verify = (hash: string, password: string): Promise<boolean> =>
    pass(IN_LINE, () => argon2Verify(hash, password));
  return {
    hash: (password) => pass(IN_LINE, () => argon2Hash(password, ARGON2_OPTIONS)),
    verify,
    async verifyNothing(password) {
      await verify(NOBODYS_HASH, password);
      return false;
    },
    // One more than the concurrent hashes: the next request reads the database while the previous one hashes.
    line: createGate({ atOnceMax: hashesAtOnce + 1, ofCallerMax: 1, ...LINE }),
  };
}
