import type { Calls } from './call.ts';
import { scannerCalls } from './scanner/calls.ts';
import { walletCalls } from './wallet/calls.ts';

/** Writes a module that contains only the method and path of each call, so a browser can import it without zod. */
const moduleOf = (audience: string, calls: Calls): string =>
  [
    `/** Written by \`npm run routes -w packages/contract\` from src/${audience}/calls.ts. */`,
    `export const ${audience}Routes = {`,
    ...Object.entries(calls).map(([name, { method, path }]) => `  ${name}: '${method} ${path}',`),
    '} as const;',
    '',
  ].join('\n');

/** The files in `gen/`, by name. */
export const ROUTE_FILES: Readonly<Record<string, string>> = {
  'wallet-routes.ts': moduleOf('wallet', walletCalls),
  'scanner-routes.ts': moduleOf('scanner', scannerCalls),
};
