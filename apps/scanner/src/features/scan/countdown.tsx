import { m } from '@athos/messages/messages';
import { useEffect, useState } from 'react';
import { serverNowMs } from '../../api/codes.ts';
import { countdownText } from './time-text.ts';

/** D-175: a code that was scanned in time can be redeemed until 120 s after it was made. */
const WHOLE_SECONDS = 120;
const SHORT_SECONDS = 20;

/** The time left to redeem the scanned code, as text and as a shrinking bar. */
export function Countdown({ seconds }: { seconds: number }) {
  const isShort = seconds <= SHORT_SECONDS;
  const percent = Math.min(100, (seconds / WHOLE_SECONDS) * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <p
        role="timer"
        className={`text-body tabular text-center font-semibold ${isShort ? 'text-danger' : 'text-ink-quiet'}`}
      >
        {seconds > 0
          ? m.scanner_app_countdown({ time: countdownText(seconds) })
          : m.scanner_app_countdown_over()}
      </p>
      <div aria-hidden="true" className="bg-sunken rounded-pill h-1.5 overflow-hidden">
        <div
          className={`rounded-pill h-full ${isShort ? 'bg-danger' : 'bg-accent'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}

const secondsUntil = (endsAtMs: number): number =>
  Math.max(0, Math.ceil((endsAtMs - serverNowMs()) / 1000));

/** Returns the whole seconds until a time by the server's clock; 0 once it is reached. */
export function useSecondsLeft(endsAtTime: string): number {
  const endsAtMs = Date.parse(endsAtTime);
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAtMs)), 250);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return seconds;
}
