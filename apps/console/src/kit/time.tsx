/** Points in time in the programme's time zone, with UTC on hover. */
import { useValue } from '@athos/app-core/value';
import { timeZone } from '../state/time-zone.ts';

type Precision = 'day' | 'minute' | 'second';

const PARTS: Readonly<Record<Precision, Intl.DateTimeFormatOptions>> = {
  day: { day: '2-digit', month: 'short', year: 'numeric' },
  minute: { day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  second: {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
};

/** Cached, because creating a formatter costs more than a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, precision: Precision): Intl.DateTimeFormat {
  const name = `${zone} ${precision}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...PARTS[precision],
    timeZone: zone,
    hourCycle: 'h23',
  });
  formats.set(name, made);
  return made;
}

/** `2026-11-01` as `01 Nov 2026`; anything else as it is. */
export function dayText(day: string): string {
  const at = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(at) ? day : formatOf('UTC', 'day').format(at);
}

/** `2026-11-22 09:48:33 UTC`. */
const utcText = (at: string): string =>
  new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');

/** `22 Nov 2026, 10:48`, for use within a longer text. */
export const momentText = (at: string, zone: string): string =>
  formatOf(zone, 'minute').format(new Date(at));

/** `10:48`, for a time of today. */
export const clockText = (at: string, zone: string): string =>
  momentText(at, zone).split(', ')[1] ?? '';

/** `22 Nov 2026, 10:48`. The line may break only between day and time. */
export function Time({ at, precision = 'minute' }: { at: string; precision?: Precision }) {
  const zone = useValue(timeZone);
  const [day, time] = formatOf(zone, precision).format(new Date(at)).split(', ');
  return (
    <time dateTime={at} title={utcText(at)} className="tabular">
      <span className="whitespace-nowrap">{day}</span>
      {time !== undefined && `, ${time}`}
    </time>
  );
}
