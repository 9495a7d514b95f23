/** Compares the series that rules.yml names with those that the running programs and exporters show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY_HERE } from './dashboards.ts';
import type { Watcher } from './watcher.ts';

const RULES = join(import.meta.dirname, '../../../deploy/observability/rules.yml');

/** By the beginning of their names. */
const ABSENT_HERE: Readonly<Record<string, string>> = {
  ...EMPTY_HERE,
  pgbackrest_: 'the cluster has no backups',
  athos_restore_drill_: 'nothing is restored',
};

/** The metrics of an expression: the words with an underscore that are neither functions, nor labels, nor values. */
function metricsOf(expression: string): string[] {
  const words = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on)\s*\([^)]*\)/g, ' ');
  return [...words.matchAll(/\b[a-z]+_\w+\b(?!\s*\()/g)].map(([name]) => name);
}

/** Looks back over the whole run, as a counter may have ended with its process. */
export async function askSeries(
  watcher: Watcher,
  seconds: number,
): Promise<{ readonly foundCount: number; readonly absent: readonly string[] }> {
  const expressions = [...readFileSync(RULES, 'utf8').matchAll(/expr: >-\n +(.*)\n/g)];
  const named = new Set(expressions.flatMap(([, expression = '']) => metricsOf(expression)));
  const absent: string[] = [];
  let foundCount = 0;
  for (const name of named) {
    const isFound = (await watcher.ask(`last_over_time(${name}[${seconds}s])`)).length > 0;
    if (isFound) foundCount += 1;
    else if (!Object.keys(ABSENT_HERE).some((start) => name.startsWith(start))) absent.push(name);
  }
  return { foundCount, absent };
}
