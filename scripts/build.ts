/** `npm run build`: builds each app whose sources have changed since its last build. */
import { ALL_APPS, buildApps } from './start/build-apps.ts';
import { StartError } from './start/start-error.ts';

try {
  for (const { name, output } of await buildApps(ALL_APPS)) {
    console.log(output ?? `The ${name} is up to date.`);
  }
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
