/**
 * Passwords as argon2id. Hashing takes a core for tens of milliseconds, more than anything else in a request. It runs on other
 * threads, at most `hashesAtOnce` at a time and in the order of the requests: with the default of 1 a burst of sign-ins takes one
 * core. Beyond `WAITING_MAX` waiting requests, further ones are refused at once.
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createGate, type Gate } from '../limits/gate.ts';

/** OWASP password storage: argon2id (the default of the library), 19 MiB, 2 passes, 1 lane. 22 ms (measured). */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Some 4 s of work: even on a slower machine the last in line is answered before the client's 10 s. */
const WAITING_MAX = 200;
/** Below the time limit of endpoints, so that nothing is hashed for a request that was already answered. */
const WAIT_MAX_MS = 7_000;

const LINE = { waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS };

/** The hash of an unknown password, as expensive to verify as a real one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gYWNjb3VudCBoZXJlIQ$7u3oHn0ZCwZRRHpTNVOgH2uYRKlQYZm5XyTqEw0c0bI';

export interface Passwords {
  /** The argon2id hash as a PHC string with a fresh salt. Throws `overloaded`. */
  hash(password: string): Promise<string>;
  /** Whether `password` matches `hash`. Throws `overloaded`. */
  verify(hash: string, password: string): Promise<boolean>;
  /** As slow as `verify`, for when there is no hash, so that the time of an answer reveals nothing. Always false. Throws `overloaded`. */
  verifyNothing(password: string): Promise<boolean>;
  /**
   * A gate for whole requests that will hash. They wait before they take a database connection, so that a burst leaves the
   * connections to others. Throws `overloaded`.
   */
  readonly line: Gate;
}

export function createPasswords(hashesAtOnce: number): Passwords {
  const pass = createGate({ atOnceMax: hashesAtOnce, ...LINE });
  const verify = (hash: string, password: string): Promise<boolean> =>
    pass(() => argon2Verify(hash, password));
  return {
    hash: (password) => pass(() => argon2Hash(password, ARGON2_OPTIONS)),
    verify,
    async verifyNothing(password) {
      await verify(NOBODYS_HASH, password);
      return false;
    },
    // One more than hashes run: the next request reads the database while the previous one hashes.
    line: createGate({ atOnceMax: hashesAtOnce + 1, ...LINE }),
  };
}
