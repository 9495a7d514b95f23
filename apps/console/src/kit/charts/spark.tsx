/** A small line beside a figure. It has no axis and no cursor: the chart around it has the numbers. */
import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';

interface SparkProps {
  values: readonly number[];
  /** The values of comparison, drawn faintly over the whole width. */
  before: readonly number[];
  cursor: number | undefined;
  width: number;
}

const HEIGHT = 40;
const EDGE = 3;

export function Spark({ values, before, cursor, width }: SparkProps) {
  const places = Math.max(values.length, before.length);
  const x = scalePoint<number>()
    .domain(Array.from({ length: places }, (_, index) => index))
    .range([EDGE, Math.max(EDGE, width - EDGE)]);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...values, ...before)])
    .range([HEIGHT - EDGE, EDGE]);
  const path = line<number>()
    .x((_value, index) => x(index) ?? 0)
    .y((value) => y(value));
  const last = Math.min(cursor ?? values.length - 1, values.length - 1);
  return (
    <svg width="100%" height={HEIGHT} aria-hidden className="text-accent block overflow-visible">
      <line x1={0} x2="100%" y1={HEIGHT - EDGE} y2={HEIGHT - EDGE} className="stroke-line" />
      {width > 0 && (
        <>
          <path
            d={path([...before]) ?? ''}
            fill="none"
            className="stroke-line-strong"
            strokeDasharray="2 3"
          />
          <path d={path([...values]) ?? ''} fill="none" stroke="currentColor" strokeWidth={2} />
          {last >= 0 && (
            <circle cx={x(last) ?? 0} cy={y(values[last] ?? 0)} r={3} fill="currentColor" />
          )}
        </>
      )}
    </svg>
  );
}
