/**
 * The server's time, estimated from `Date` headers, because the server refuses a code whose time is more than 30 s off
 * (D-070) and a phone's clock may be wrong. A `Date` header has whole seconds, so each response only bounds the offset;
 * several together narrow it.
 */
export interface ServerClock {
  /** Milliseconds since 1970 by the server's clock, or by this machine's clock before the first response. */
  nowMs: () => number;
  /** `sentAtMs` and `receivedAtMs` are by this machine's clock. Ignores a header that is missing or not a date. */
  observe: (dateHeader: string | null, sentAtMs: number, receivedAtMs: number) => void;
}

const HEADER_RESOLUTION_MS = 1000;

export function createServerClock(localNowMs: () => number = () => Date.now()): ServerClock {
  let lowestOffsetMs = Number.NEGATIVE_INFINITY;
  let highestOffsetMs = Number.POSITIVE_INFINITY;

  return {
    nowMs() {
      const offsetMs = Number.isFinite(lowestOffsetMs) ? (lowestOffsetMs + highestOffsetMs) / 2 : 0;
      return Math.round(localNowMs() + offsetMs);
    },
    observe(dateHeader, sentAtMs, receivedAtMs) {
      const headerMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
      if (Number.isNaN(headerMs)) return;
      const low = headerMs - receivedAtMs;
      const high = headerMs + HEADER_RESOLUTION_MS - sentAtMs;
      // Disjoint bounds mean that one of the clocks was set, so start over.
      const isDisjoint = low > highestOffsetMs || high < lowestOffsetMs;
      lowestOffsetMs = isDisjoint ? low : Math.max(low, lowestOffsetMs);
      highestOffsetMs = isDisjoint ? high : Math.min(high, highestOffsetMs);
    },
  };
}
