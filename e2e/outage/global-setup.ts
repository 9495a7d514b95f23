import { ADDRESSES_VARIABLE, DATA_DIR_VARIABLE } from '../system/addresses.ts';
import { startSystem } from '../system/start-system.ts';

/** Starts the whole system for the story that stops it. */
// oxlint-disable-next-line import/no-default-export -- Playwright imports the default export
export default async function setUp(): Promise<() => Promise<void>> {
  const system = await startSystem();
  process.env[ADDRESSES_VARIABLE] = JSON.stringify(system.addresses);
  process.env[DATA_DIR_VARIABLE] = system.dataDir;
  return () => system.stop();
}
