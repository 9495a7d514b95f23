/** Runs every query of every dashboard against Prometheus, as Grafana would. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Watcher } from './watcher.ts';

const FOLDER = join(import.meta.dirname, '../../../deploy/observability');
/** The interval that Grafana uses for scrapes every 15 s. */
const RATE_INTERVAL = '1m';

/** Counters that a process exposes only after their first event, with the event that cannot happen in this test. */
export const EMPTY_HERE: Readonly<Record<string, string>> = {
  athos_alarms_total: 'no alarm was logged',
  athos_jobs_failed_total: 'no run of a job failed',
  athos_ledger_unavailable_total: 'the ledger gave no transfer up',
};

interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly panels?: readonly Panel[];
}

interface Query {
  readonly dashboard: string;
  readonly expr: string;
}

function readQueries(): Query[] {
  return globSync(join(FOLDER, '*.json')).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: readonly Panel[] };
    const queriesOf = (panel: Panel): Query[] => [
      ...(panel.targets ?? []).map(({ expr }) => ({ dashboard: basename(file), expr })),
      ...(panel.panels ?? []).flatMap(queriesOf),
    ];
    return panels.flatMap(queriesOf);
  });
}

interface Answers {
  readonly answeredCount: number;
  /** Queries that were refused, or that have no series without a known reason. */
  readonly faults: readonly string[];
  readonly emptyByReason: readonly string[];
}

export async function askQueries(watcher: Watcher): Promise<Answers> {
  const [faults, emptyByReason]: [string[], string[]] = [[], []];
  let answeredCount = 0;
  for (const { dashboard, expr } of readQueries()) {
    const query = expr.replaceAll('$__rate_interval', RATE_INTERVAL);
    const samples = await watcher.ask(query).catch((error: unknown) => String(error));
    const hasValue = Array.isArray(samples) && samples.some(({ value }) => Number.isFinite(value));
    const metric = Object.keys(EMPTY_HERE).find((name) => expr.includes(name));
    if (hasValue) answeredCount += 1;
    else if (typeof samples === 'string') faults.push(`${dashboard}: ${samples}`);
    else if (metric === undefined) faults.push(`${dashboard}: no series: ${expr}`);
    else emptyByReason.push(`${dashboard}: ${expr}: ${EMPTY_HERE[metric]}`);
  }
  return { answeredCount, faults, emptyByReason };
}
