/**
 * Passwords as argon2id. Hashing is the one request that costs a core for tens of milliseconds, so it is bounded twice:
 * at most `hashesAtOnce` hashes run, on threads beside the one that serves requests, and at most `WAITING_MAX` wait for
 * each of them, in the order they came. Whoever comes later is refused at once with `overloaded`. With the default of one
 * hash at once a sign-in burst takes one core at most and holds no database connection while it waits.
 */
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { AppError } from './errors.ts';

/** OWASP password storage: argon2id (the library's default kind), 19 MiB, 2 passes, 1 lane. Some 25 ms. */
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Some 2.5 s of work: the last in the line is still answered well before the client's 10 s. */
const WAITING_MAX = 100;
const RETRY_AFTER_SECONDS = 2;

/** The hash of a password that nobody knows, of the same cost as a real one. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$bm8gYWNjb3VudCBoZXJlIQ$7u3oHn0ZCwZRRHpTNVOgH2uYRKlQYZm5XyTqEw0c0bI';

export interface Passwords {
  /** The argon2id hash as a PHC string, with a salt of its own. Throws `overloaded`. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one of `hash`. Throws `overloaded`. */
  verify(hash: string, password: string): Promise<boolean>;
  /** The work of `verify` where there is no hash, so that an answer's time does not tell. Always false. Throws `overloaded`. */
  verifyNothing(password: string): Promise<boolean>;
}

/** Runs at most `atOnceMax` functions at once and lets at most `waitingMax` wait. Throws `overloaded` beyond. */
function createGate(atOnceMax: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let runningCount = 0;

  return async function pass<T>(run: () => Promise<T>): Promise<T> {
    if (runningCount < atOnceMax) runningCount += 1;
    else if (waiting.length < waitingMax) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    try {
      return await run();
    } finally {
      // The place is handed on rather than freed, so that nobody overtakes the line.
      const next = waiting.shift();
      if (next === undefined) runningCount -= 1;
      else next();
    }
  };
}

export function createPasswords(hashesAtOnce: number): Passwords {
  const pass = createGate(hashesAtOnce, hashesAtOnce * WAITING_MAX);
  const verify = (hash: string, password: string): Promise<boolean> =>
    pass(() => argon2Verify(hash, password));
  return {
    hash: (password) => pass(() => argon2Hash(password, ARGON2_OPTIONS)),
    verify,
    async verifyNothing(password) {
      await verify(NOBODYS_HASH, password);
      return false;
    },
  };
}
