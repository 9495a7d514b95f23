/**
 * The server's time, estimated from `Date` headers, so that a phone's wrong clock does no harm: the server refuses a code
 * whose time is more than 30 s off (D-070). A `Date` header has whole seconds, so each answer only bounds the offset, and
 * several answers together narrow it.
 */
export interface ServerClock {
  /** Milliseconds since 1970 by the server's clock; by this machine's clock until the first answer. */
  nowMs: () => number;
  /** `sentAtMs` and `receivedAtMs` are by this machine's clock. Ignores a header that is missing or no date. */
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
      // Bounds that exclude each other mean that one of the two clocks was set, so start over.
      const isDisjoint = low > highestOffsetMs || high < lowestOffsetMs;
      lowestOffsetMs = isDisjoint ? low : Math.max(low, lowestOffsetMs);
      highestOffsetMs = isDisjoint ? high : Math.min(high, highestOffsetMs);
    },
  };
}
