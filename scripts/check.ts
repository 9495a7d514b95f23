/** `npm run check`: types, lint, format, dead code and architecture. */
import { runChecks } from './check/steps.ts';

const { failedCount } = await runChecks();
process.exitCode = failedCount === 0 ? 0 : 1;
