import { ADDRESSES_VARIABLE } from './system/addresses.ts';
import { readAddresses, startSystem } from './system/start-system.ts';

/** Starts the whole system, or uses the running one whose `addresses.json` is named by `E2E_RUNNING`. */
// oxlint-disable-next-line import/no-default-export -- Playwright imports the default export
export default async function setUp(): Promise<() => Promise<void>> {
  const running = process.env['E2E_RUNNING'];
  if (running !== undefined && running !== '') {
    process.env[ADDRESSES_VARIABLE] = JSON.stringify(readAddresses(running));
    return async () => {};
  }
  const system = await startSystem();
  process.env[ADDRESSES_VARIABLE] = JSON.stringify(system.addresses);
  return () => system.stop();
}
