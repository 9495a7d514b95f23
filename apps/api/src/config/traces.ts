import { z } from 'zod';
import type { TraceSettings } from '../platform/traces/collector.ts';
import { topic, webUrl } from './topic.ts';

/**
 * The collector of traces, under the names that OpenTelemetry gives to these settings. Its exporter also reads
 * OTEL_EXPORTER_OTLP_HEADERS.
 */
export const traces = topic(
  {
    collectorUrl: ['OTEL_EXPORTER_OTLP_ENDPOINT', webUrl.optional()],
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
