/** The app's only client. Everything in `src/api` makes its calls through it. */
import { createAppClient } from '@athos/app-core/app-client';
import { scannerRoutes } from '@athos/contract/gen/scanner-routes';
import { session } from '../state/session.ts';

/** `index-DkPbY2xQ`: the main script is named after its content. */
const [, appVersion] = /\/([\w-]{1,40})\.js$/.exec(new URL(import.meta.url).pathname) ?? [];

export const client = createAppClient(scannerRoutes, {
  session,
  origin: location.origin,
  appVersion,
});
