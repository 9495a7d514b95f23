/**
 * Passwords as argon2id. Hashing is the one work of a request that costs a core for tens of milliseconds. It is done on a
 * thread beside the one that serves requests, and by at most `hashesAtOnce` of them, in the order they came: with the
 * default of 1 a burst of sign-ins takes one core at most. `WAITING_MAX` wait; whoever comes later is refused at once.
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { createGate, type Gate } from '../limits/gate.ts';

/** OWASP password storage: argon2id (the library's default kind), 19 MiB, 2 passes, 1 lane. Measured: 22 ms. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Some 4 s of work: the last in the line is still answered before the client's 10 s, also on a slower machine. */
const WAITING_MAX = 200;
/** Below the time within which the endpoints answer, so that no hash is made for a request that was answered already. */
const WAIT_MAX_MS = 7_000;

const LINE = { waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS };

/** The hash of a password that nobody knows, of the same cost as a real one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gYWNjb3VudCBoZXJlIQ$7u3oHn0ZCwZRRHpTNVOgH2uYRKlQYZm5XyTqEw0c0bI';

export interface Passwords {
  /** The argon2id hash as a PHC string, with a salt of its own. Throws `overloaded`. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one of `hash`. Throws `overloaded`. */
  verify(hash: string, password: string): Promise<boolean>;
  /** The work of `verify` where there is no hash, so that an answer's time does not tell. Always false. Throws `overloaded`. */
  verifyNothing(password: string): Promise<boolean>;
  /**
   * The line for whole requests that will hash: they wait here before they take a database connection, so that a burst
   * leaves the connections to others. Throws `overloaded`.
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
    // One more than hashes run: the next request reads the database while the one before hashes.
    line: createGate({ atOnceMax: hashesAtOnce + 1, ...LINE }),
  };
}
