/**
 * `npm run screens`: pictures of every screen and state to `screens/`, with `screens/index.html` to look at them all. Words
 * after `--` take only the screens so named. `E2E_RUNNING` names the `addresses.json` of a system that runs already.
 */
import { readAddresses, startSystem } from '../system/start-system.ts';

const running = process.env['E2E_RUNNING'];
const system = running === undefined ? await startSystem() : undefined;
try {
  const addresses = system?.addresses ?? readAddresses(String(running));
  // `system/addresses.ts` reads it when it is loaded, by what is imported here.
  process.env['E2E_ADDRESSES'] = JSON.stringify(addresses);
  const { takeScreens } = await import('./take-screens.ts');
  const failureCount = await takeScreens(process.argv.slice(2));
  if (failureCount > 0) process.exitCode = 1;
} finally {
  await system?.stop();
}
