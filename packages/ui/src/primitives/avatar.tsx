import { classNames } from './class-names.ts';

const GROUNDS = [
  'bg-info-surface text-info',
  'bg-success-surface text-success',
  'bg-danger-surface text-danger',
  'bg-line text-ink',
];

/** Returns the first letters of the first two words, or the first letter of a single word. */
export function monogramOf(name: string): string {
  const [first = '', second = ''] = name.trim().split(/\s+/);
  return (Array.from(first).at(0) ?? '?').concat(Array.from(second).at(0) ?? '').toUpperCase();
}

/**
 * A user without a picture. The same name has the same colour everywhere. Decorative: the name is written beside it.
 */
export function Avatar(props: { name: string }) {
  const sum = Array.from(props.name).reduce(
    (total, letter) => total + (letter.codePointAt(0) ?? 0),
    0,
  );
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'rounded-pill text-body flex size-11 shrink-0 items-center justify-center font-bold',
        GROUNDS[sum % GROUNDS.length],
      )}
    >
      {monogramOf(props.name)}
    </span>
  );
}
