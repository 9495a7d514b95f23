import { ADDRESSES_VARIABLE } from '../system/addresses.ts';
import { startSystem } from '../system/start-system.ts';

/** Starts the whole system with the past of the demo, for the stories that need days that have ended. */
// oxlint-disable-next-line import/no-default-export -- Playwright imports the default export
export default async function setUp(): Promise<() => Promise<void>> {
  const system = await startSystem({ DEMO_HISTORY: 'on' });
  process.env[ADDRESSES_VARIABLE] = JSON.stringify(system.addresses);
  return () => system.stop();
}
