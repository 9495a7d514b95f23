/** `npm run build`: builds the wallet if its sources changed since the last build. */
import { buildWallet } from './start/build-wallet.ts';
import { StartError } from './start/start-error.ts';

try {
  console.log((await buildWallet()) ?? 'The wallet is up to date.');
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
