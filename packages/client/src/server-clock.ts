/**
 * The server's time, worked out from `Date` headers, so that a wrong phone clock harms nobody (decisions "Signed QR codes").
 * A `Date` header has whole seconds: each answer only bounds the offset, and several bounds together narrow it.
 */
export interface ServerClock {
  /** Milliseconds since 1970 by the server's clock; by this machine's clock until an answer was seen. */
  nowMs: () => number;
  /** `sentAtMs` and `receivedAtMs` by this machine's clock. Ignores a header that is missing or no date. */
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
      // Bounds that exclude each other mean that one of the two clocks was set: begin anew.
      const isDisjoint = low > highestOffsetMs || high < lowestOffsetMs;
      lowestOffsetMs = isDisjoint ? low : Math.max(low, lowestOffsetMs);
      highestOffsetMs = isDisjoint ? high : Math.min(high, highestOffsetMs);
    },
  };
}
