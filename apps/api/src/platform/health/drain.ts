/**
 * How a process leaves without failing a request. It is unready at once and goes on serving until the edge has noticed and sends
 * new requests to others; only then does it close.
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

/** Asks for each connection to be closed after its answer, so that no request is on its way when the process closes them. */
export function registerDrain(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (drain.isDraining()) reply.header('connection', 'close');
    done();
  });
}
