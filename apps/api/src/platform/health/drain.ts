/**
 * How a process stops without failing a request. It reports itself unready at once and goes on serving until the edge has noticed and
 * sends new requests to other processes; only then does it close.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Drain {
  isDraining(): boolean;
  /** Resolves when the edge has had time to notice. */
  begin(): Promise<void>;
}

export function createDrain(drainMs: number): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    async begin() {
      isDraining = true;
      await pause(drainMs);
    },
  };
}

/** Asks clients to close each connection after its answer, so that no request is in transit when the process closes the connections. */
export function registerDrain(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (drain.isDraining()) reply.header('connection', 'close');
    done();
  });
}
