/**
 * Events that metrics count and that happen where no metrics are at hand. They go through Node's diagnostics channels, so they reach every
 * listener of the process, and telling one costs nothing while nobody listens.
 */
import { channel } from 'node:diagnostics_channel';

export interface Event<Value> {
  tell(value: Value): void;
  /** Returns a function that ends it. */
  listen(listener: (value: Value) => void): () => void;
}

/** The event of this name. Each name belongs to one type of value. */
export function event<Value>(name: string): Event<Value> {
  const told = channel(`metrics.${name}`);
  return {
    tell: (value) => told.publish(value),
    listen(listener) {
      const receive = (value: unknown): void => listener(value as Value);
      told.subscribe(receive);
      return () => {
        told.unsubscribe(receive);
      };
    },
  };
}

/** The seconds that a barrier took from the end of what it was for. */
export const barrierPassed = event<number>('barrier_passed');
