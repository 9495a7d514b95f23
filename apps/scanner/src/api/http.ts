/** The app's one client. Everything under `src/api` calls through it. */
import { createAppClient } from '@athos/app-core/app-client';
import { scannerRoutes } from '@athos/contract/gen/scanner-routes';
import { session } from '../state/session.ts';

export const client = createAppClient(scannerRoutes, { session, origin: location.origin });
