/**
 * The console's measured reads: every reading call of the contract. A new call does not compile until it has its cases in one of the two
 * lists, or a reason why it has none.
 */
import { API_PREFIX } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import type { Examples } from './examples.sql.ts';
import { MONEY_READS } from './money-reads.ts';
import { PROGRAMME_READS } from './programme-reads.ts';
import type { Cases, ReadName, Reads } from './read-cases.ts';

const READS: Reads = { ...MONEY_READS, ...PROGRAMME_READS };

export interface MeasuredRead {
  readonly name: string;
  /** Path and query, with different values each time. */
  readonly makePath: (some: Examples) => string;
}

function pathOf(
  template: string,
  { params, query }: { readonly params?: unknown; readonly query?: unknown },
): string {
  const values = (params ?? {}) as Readonly<Record<string, string | number>>;
  const path = template.replace(/:(\w+)/g, (_match, name: string) => String(values[name]));
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return `${API_PREFIX}${path}${search === '' ? '' : `?${search}`}`;
}

export const MEASURED_READS: readonly MeasuredRead[] = Object.entries(READS).flatMap(
  ([name, cases]) =>
    'leftOut' in cases
      ? []
      : Object.entries(cases as Cases<ReadName>).map(([label, make]) => ({
          name: label === '' ? name : `${name}, ${label}`,
          makePath: (some) => pathOf(consoleApi[name as ReadName].path, make(some)),
        })),
);
