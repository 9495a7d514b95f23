/** The format of the cases, and parts that several of them share. */
import type {
  ConsoleCallName,
  ConsoleParamsOf,
  ConsoleQueryOf,
  consoleApi,
} from '@athos/contract/console/calls';
import type { Examples } from './examples.sql.ts';
import { JOURNAL_DAYS } from './journal.sql.ts';

type ConsoleApi = typeof consoleApi;
export type ReadName = {
  [Name in ConsoleCallName]: ConsoleApi[Name]['method'] extends 'GET' ? Name : never;
}[ConsoleCallName];

interface Given<Name extends ReadName> {
  readonly params?: ConsoleParamsOf<Name>;
  readonly query?: ConsoleQueryOf<Name>;
}
export interface Cases<Name extends ReadName> {
  readonly [label: string]: (some: Examples) => Given<Name>;
}
interface LeftOut {
  readonly leftOut: string;
}

/** Every reading call, with its cases or the reason why it has none. */
export type Reads = { readonly [Name in ReadName]: Cases<Name> | LeftOut };

const DAY_MS = 24 * 60 * 60_000;
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
/** A random day covered by the journal. */
export const someDay = (): string => daysAgo(1 + Math.random() * (JOURNAL_DAYS - 2)).slice(0, 10);
export const plain = { '': () => ({}) };
export const byId = (idOf: (some: Examples) => string) => ({
  '': (some: Examples) => ({ params: { id: idOf(some) } }),
});
