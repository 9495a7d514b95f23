/**
 * Three healthy days before the run. Rules look back up to three days; without this past, half a minute of errors would be half of all data
 * that Prometheus has.
 */
const DAYS = 3;
const STEP_S = 60;

interface Calls {
  readonly slo: string;
  /** The limit of the goal, in seconds. */
  readonly limit: string;
  readonly perSecond: number;
}

/** Counters that grew at a steady rate until `toMs`, with all calls successful and in time. In OpenMetrics text format. */
export function healthyPast(calls: readonly Calls[], toMs: number): string {
  const to = Math.floor(toMs / 1_000);
  const from = to - DAYS * 86_400;
  const lines: string[] = [];
  for (const { slo, limit, perSecond } of calls) {
    const labels = `instance="past",job="athos",slo="${slo}",status_class="2xx"`;
    const series = [
      `http_server_request_duration_seconds_count{${labels}}`,
      `http_server_request_duration_seconds_bucket{${labels},le="${limit}"}`,
    ];
    for (const one of series) {
      for (let at = from; at <= to; at += STEP_S) {
        lines.push(`${one} ${Math.round((at - from) * perSecond)} ${at}`);
      }
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}
