/** The app's only client. Everything in `src/api` makes its calls through it. */
import { createAppClient } from '@athos/app-core/app-client';
import { scannerRoutes } from '@athos/contract/gen/scanner-routes';
import { session } from '../state/session.ts';

export const client = createAppClient(scannerRoutes, { session, origin: location.origin });
