import { z } from 'zod';
import type { TraceSettings } from '../platform/traces/collector.ts';
import { topic, webUrl } from './topic.ts';

/** `name=value`, whose value is printable ASCII in percent-encoding. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+)=((?:[ -$&-+\--~]|%[2-6][\da-f]|%7[\da-e])+)$/i;

function parseHeaders(list: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const part of list.split(',')) {
    const [, name, value] = HEADER.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers[name] = decodeURIComponent(value);
  }
  return headers;
}

/** The collector of traces, under the names that OpenTelemetry gives to these settings. */
export const traces = topic(
  {
    collectorUrl: ['OTEL_EXPORTER_OTLP_ENDPOINT', webUrl.optional()],
    /** What the collector asks of its callers, such as an access key. */
    collectorHeaders: [
      'OTEL_EXPORTER_OTLP_HEADERS',
      z
        .string()
        .default('')
        .transform((list, context) => {
          if (list === '') return {};
          const headers = parseHeaders(list);
          if (headers !== undefined) return headers;
          context.addIssue('must be name=value pairs between commas, with percent-encoded values');
          return z.NEVER;
        }),
    ],
    sampledShare: [
      'OTEL_TRACES_SAMPLER_ARG',
      z
        .string()
        .regex(/^(0(\.\d{1,6})?|1)$/, 'must be the share of sampled requests, such as 0.01')
        .default('0.01')
        .transform(Number),
    ],
  },
  { build: (settings): TraceSettings => settings },
);
