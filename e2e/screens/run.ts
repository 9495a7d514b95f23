/**
 * `npm run screens`: writes pictures of every screen and state to `screens/`, and `screens/index.html` to view them
 * all. Arguments after `--` select screens by name. `E2E_RUNNING` is the path to the `addresses.json` of a running
 * system to use.
 */
import { readAddresses, startSystem } from '../system/start-system.ts';

const running = process.env['E2E_RUNNING'];
const system = running === undefined ? await startSystem() : undefined;
try {
  const addresses = system?.addresses ?? readAddresses(String(running));
  // Set before the import, because `system/addresses.ts` reads it when it is loaded.
  process.env['E2E_ADDRESSES'] = JSON.stringify(addresses);
  const { takeScreens } = await import('./take-screens.ts');
  const failureCount = await takeScreens(process.argv.slice(2));
  if (failureCount > 0) process.exitCode = 1;
} finally {
  await system?.stop();
}
