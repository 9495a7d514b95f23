import type { Caller } from '../limits/caller.ts';
import { createGate } from '../limits/gate.ts';
import { withinTime } from '../within-time.ts';

/**
 * A call on a lost network share may never return. It keeps one of the process's four threads, which signing in, the log and the resolver
 * of names need too.
 */
const CALLS = { atOnceMax: 2, waitingMax: 200, waitMaxMs: 3_500 };
const PROCESS: Caller = ['this process'];

const gate = createGate(CALLS);

/** A share that is only slow answers sooner. */
const CALL_MAX_MS = 10_000;

/** Makes a call on a folder that may be a network share. Throws `try_again` or `overloaded` if it, or those before it, do not return. */
export const onShare = <T>(call: () => Promise<T>): Promise<T> =>
  withinTime(gate(PROCESS, call), CALL_MAX_MS);
