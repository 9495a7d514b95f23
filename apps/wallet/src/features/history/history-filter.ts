/** The filter of the history, as its address states it. */
import { exactAthText, parseAth } from '@athos/domain/money';
import { DIRECTIONS, MOVEMENT_TYPES, type HistoryFilter } from '../../api/history.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns a day only if it exists in the calendar. */
const dayOf = (text: string | null): string | undefined =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(`${text}T12:00`)) ? text : undefined;

const LABEL_LENGTH_MAX = 24;
export const WORDS_LENGTH_MAX = 60;

/** The trimmed text; `undefined` if it is empty or longer than the server accepts. */
function textOf(text: string | null, lengthMax: number): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' || trimmed.length > lengthMax ? undefined : trimmed;
}

export const wordsOf = (text: string | null): string | undefined => textOf(text, WORDS_LENGTH_MAX);

/** The server's maximum: 16 digits of micro-units. */
const UNITS_MAX = 10n ** 16n - 1n;

/** A typed amount above 0 in its shortest form; `undefined` for any other text. */
export function amountOf(text: string | null): string | undefined {
  const amount = text === null ? undefined : parseAth(text);
  return amount === undefined || amount <= 0n || amount > UNITS_MAX
    ? undefined
    : exactAthText(amount);
}

/** Ignores parameters and values that no filter writes. */
export function filterOf(query: URLSearchParams): HistoryFilter {
  const type = MOVEMENT_TYPES.find((known) => known === query.get('type'));
  return {
    type,
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    direction: DIRECTIONS.find((known) => known === query.get('direction')),
    min: amountOf(query.get('min')),
    max: amountOf(query.get('max')),
    label: textOf(query.get('label'), LABEL_LENGTH_MAX),
    q: wordsOf(query.get('q')),
  };
}

export const NO_FILTER: HistoryFilter = {
  type: undefined,
  from: undefined,
  to: undefined,
  direction: undefined,
  min: undefined,
  max: undefined,
  label: undefined,
  q: undefined,
};

export const isFiltered = (filter: HistoryFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** Includes the question mark; empty without a filter. */
export function searchOf(filter: HistoryFilter): string {
  const parts = Object.entries(filter).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts).toString()}`;
}

export type Period = 'this_month' | 'last_month' | 'this_year';

/** In the device's time zone, like the days of the filter. */
const dayText = (day: Date): string =>
  [
    String(day.getFullYear()),
    String(day.getMonth() + 1).padStart(2, '0'),
    String(day.getDate()).padStart(2, '0'),
  ].join('-');

/** First and last day of the most common periods. */
export function periodsAt(now: Date): Record<Period, Required<Pick<HistoryFilter, 'from' | 'to'>>> {
  const year = now.getFullYear();
  const month = now.getMonth();
  const days = (first: Date, last: Date) => ({ from: dayText(first), to: dayText(last) });
  return {
    this_month: days(new Date(year, month, 1), new Date(year, month + 1, 0)),
    last_month: days(new Date(year, month - 1, 1), new Date(year, month, 0)),
    this_year: days(new Date(year, 0, 1), new Date(year, 11, 31)),
  };
}
