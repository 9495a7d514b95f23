import type { Calls } from './call.ts';
import { consoleApi } from './console/calls.ts';
import type { ConsoleCall, ConsoleCalls } from './console/console-call.ts';
import { scannerCalls } from './scanner/calls.ts';
import { walletCalls } from './wallet/calls.ts';

/** Writes a module that contains only the method and path of each call, so a browser can import it without zod. */
const moduleOf = (audience: string, calls: Calls | ConsoleCalls): string =>
  [
    `/** Written by \`npm run routes -w packages/contract\` from src/${audience}/calls.ts. */`,
    `export const ${audience}Routes = {`,
    ...Object.entries(calls).map(([name, { method, path }]) => `  ${name}: '${method} ${path}',`),
    '} as const;',
    '',
  ].join('\n');

const permissionOf = (call: ConsoleCall): string | null =>
  call.auth === 'console' ? call.permission : null;

/** The console also shows in advance which permission a call requires. */
const consoleModule = (): string =>
  [
    moduleOf('console', consoleApi),
    '/** The permission that each call needs; null for those of a guest. */',
    'export const consolePermissions = {',
    ...Object.entries<ConsoleCall>(consoleApi).map(([name, call]) => {
      const permission = permissionOf(call);
      return `  ${name}: ${permission === null ? 'null' : `'${permission}'`},`;
    }),
    '} as const;',
    '',
  ].join('\n');

/** The files in `gen/`, by name. */
export const ROUTE_FILES: Readonly<Record<string, string>> = {
  'wallet-routes.ts': moduleOf('wallet', walletCalls),
  'scanner-routes.ts': moduleOf('scanner', scannerCalls),
  'console-routes.ts': consoleModule(),
};
