import { useEffect, useState } from 'react';
import { serverNowMs } from '../../api/scan.ts';

const secondsUntil = (endsAtMs: number): number =>
  Math.max(0, Math.ceil((endsAtMs - serverNowMs()) / 1000));

/** Whole seconds until a time of the server's clock; 0 from then on. */
export function useSecondsLeft(endsAtTime: string): number {
  const endsAtMs = Date.parse(endsAtTime);
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAtMs)), 250);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return seconds;
}
