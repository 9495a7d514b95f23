/** Loaded into an API process before the program (`node --import`): it takes turns with and without tracing. */
import { apiModule, replaceModules } from '../replace-modules.ts';

const importers = [apiModule('platform/traces/collector.ts')];

replaceModules([
  {
    original: apiModule('platform/traces/spans.ts'),
    by: import.meta.resolve('./toggled-spans.ts'),
    importers,
  },
  {
    original: import.meta.resolve('@opentelemetry/sdk-trace'),
    by: import.meta.resolve('./exports-in-turn.ts'),
    importers,
  },
]);
