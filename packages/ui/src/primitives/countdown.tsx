import { useEffect, useEffectEvent, useState } from 'react';

/** The remaining minutes that are announced. Announcing every minute, let alone every second, would talk over the user. */
const ANNOUNCED_MINUTES: readonly number[] = [5, 1];

export interface CountdownProps {
  endsAtMs: number;
  /** The clock that decides, for example the server's. */
  nowMs: () => number;
  /** The visible text for a time such as `12:05`. */
  label: (time: string) => string;
  /** The announcement of screen readers when five minutes, and when one minute, are left. */
  announcement: (minutes: number) => string;
  /** Called once the time is over. */
  onEnd?: (() => void) | undefined;
}

/** The time left until something ends, counted every second. */
export function Countdown({ label, announcement, ...clock }: CountdownProps) {
  const seconds = useSecondsLeft(clock);
  const minutes = Math.ceil(seconds / 60);
  return (
    <>
      {/* `off` also silences it inside a live region, such as a notice. */}
      <span role="timer" aria-live="off" className="tabular">
        {label(clockText(seconds))}
      </span>
      <span role="status" className="sr-only">
        {ANNOUNCED_MINUTES.includes(minutes) ? announcement(minutes) : ''}
      </span>
    </>
  );
}

/** `12:05`. */
const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const secondsUntil = (endsAtMs: number, nowMs: number): number =>
  Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000));

/** Compares with the clock, because a hidden tab's timers are throttled. */
function useSecondsLeft(clock: Pick<CountdownProps, 'endsAtMs' | 'nowMs' | 'onEnd'>): number {
  const { endsAtMs, nowMs } = clock;
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs, nowMs()));
  const read = useEffectEvent(() => secondsUntil(endsAtMs, nowMs()));
  const end = useEffectEvent(() => clock.onEnd?.());

  useEffect(() => {
    const timer = setInterval(() => {
      const left = read();
      setSeconds(left);
      if (left > 0) return;
      clearInterval(timer);
      end();
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return seconds;
}
