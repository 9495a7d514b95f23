import { dirname } from 'node:path';
import { ADDRESSES_VARIABLE, DATA_DIR_VARIABLE } from './system/addresses.ts';
import { setSetting } from './system/programme.ts';
import { readAddresses, startSystem } from './system/start-system.ts';

/** Lets sends arrive at once, as specified, so that no story waits for them. The undo story sets the times itself. */
function sendAtOnce(): void {
  setSetting('undo_seconds', 0);
  setSetting('undo_first_seconds', 0);
}

/** Starts the whole system, or uses the running one whose `addresses.json` is named by `E2E_RUNNING`. */
// oxlint-disable-next-line import/no-default-export -- Playwright imports the default export
export default async function setUp(): Promise<() => Promise<void>> {
  const running = process.env['E2E_RUNNING'];
  if (running !== undefined && running !== '') {
    process.env[ADDRESSES_VARIABLE] = JSON.stringify(readAddresses(running));
    process.env[DATA_DIR_VARIABLE] = dirname(running);
    sendAtOnce();
    return async () => {};
  }
  const system = await startSystem();
  process.env[ADDRESSES_VARIABLE] = JSON.stringify(system.addresses);
  process.env[DATA_DIR_VARIABLE] = system.dataDir;
  sendAtOnce();
  return () => system.stop();
}
