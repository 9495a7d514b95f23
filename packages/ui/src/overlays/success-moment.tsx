import { useEffect } from 'react';
import { device } from '../theme/device.ts';

const SPARKS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const SPARK_COLOURS = ['bg-card-from', 'bg-card-to', 'bg-success'];

/** A tick that draws itself once with a burst of sparks. Decorative: put words beside it. */
export function SuccessMoment() {
  useEffect(() => device().tick(), []);
  return (
    <div aria-hidden="true" className="relative mx-auto flex size-28 items-center justify-center">
      {SPARKS.map((spark) => (
        <span
          key={spark}
          style={{ ['--burst-angle' as string]: `${spark * 30}deg` }}
          className={`animate-burst rounded-pill absolute size-2 motion-reduce:hidden ${SPARK_COLOURS[spark % 3]}`}
        />
      ))}
      <span className="animate-pop bg-success rounded-pill flex size-20 items-center justify-center">
        <svg viewBox="0 0 24 24" className="stroke-surface size-11" fill="none">
          <path
            d="m5 12.5 4.6 4.7L19 7.5"
            pathLength="1"
            strokeDasharray="1"
            className="animate-draw"
            strokeWidth="2.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </span>
    </div>
  );
}
