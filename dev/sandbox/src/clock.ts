import type { Store } from './store.ts';

const offsetSetting = 'clock_offset_ms';

/** The sandbox's time: the system time plus an offset that only grows and survives restarts. */
export interface Clock {
  nowMs(): number;
  /** Whole seconds, the provider's unit for every `created`. */
  nowSeconds(): number;
  offsetMs(): number;
  advance(byMs: number): void;
  reset(): void;
}

export function createClock(store: Store): Clock {
  let offsetMs = Number(store.readSetting(offsetSetting) ?? 0);
  const nowMs = (): number => Date.now() + offsetMs;
  const keep = (nextMs: number): void => {
    offsetMs = nextMs;
    store.writeSetting(offsetSetting, String(nextMs));
  };
  return {
    nowMs,
    nowSeconds: () => Math.floor(nowMs() / 1000),
    offsetMs: () => offsetMs,
    advance: (byMs) => keep(offsetMs + byMs),
    reset: () => keep(0),
  };
}
