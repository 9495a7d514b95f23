/**
 * Not a `.ts`: for one the CLI asks the package `typescript` for its compiler API, which TypeScript 7 does not have. Node
 * itself reads the typed file. The export has the name under which `require()` gives it to the CLI whole.
 */
import { config } from './app-config.ts';

export { config as 'module.exports' };
