/** `npm run check`: types, lint, format, dead code and architecture. */
import { runChecks } from './check/steps.ts';

process.exitCode = (await runChecks()) === 0 ? 0 : 1;
