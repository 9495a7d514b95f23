import { initialOf } from '@athos/domain/display-name';
import { classNames } from './class-names.ts';

/** The colours of people. tokens.test.ts reads them to check each letter's contrast in every theme. */
export const PERSON_COLOURS = [
  'bg-info-surface text-info',
  'bg-success-surface text-success',
  'bg-danger-surface text-danger',
  'bg-line text-ink',
  'bg-primary text-primary-ink',
  'bg-danger-solid text-danger-solid-ink',
  'bg-surface-sunken text-accent-text',
  'bg-ink text-ground',
];

/** The same name has the same colour everywhere. */
function colourOf(name: string): string | undefined {
  const sum = Array.from(name).reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0);
  return PERSON_COLOURS[sum % PERSON_COLOURS.length];
}

/** Returns the first letters of the first two words, or the first letter of a single word. */
export function monogramOf(name: string): string {
  const [first = '', second = ''] = name.trim().split(/\s+/);
  return (Array.from(first).at(0) ?? '?').concat(Array.from(second).at(0) ?? '').toUpperCase();
}

/** A user without a picture. Decorative: the name is written beside it. */
export function Avatar(props: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'rounded-pill text-body flex size-11 shrink-0 items-center justify-center font-bold',
        colourOf(props.name),
      )}
    >
      {monogramOf(props.name)}
    </span>
  );
}

/** The first letter of a person's chosen name, shown beside that name in a line of text. */
export function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'rounded-pill text-caption inline-flex size-7 shrink-0 items-center justify-center font-bold',
        colourOf(name),
      )}
    >
      {initialOf(name)}
    </span>
  );
}
