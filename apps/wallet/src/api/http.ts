/** The app's only client. Everything in `src/api` makes its calls through it. */
import { createAppClient } from '@athos/app-core/app-client';
import { walletRoutes } from '@athos/contract/gen/wallet-routes';
import { session } from '../state/session.ts';
import { askForProof } from '../state/confirmer.ts';
import { apiOrigin } from '../state/settings.ts';
import { areTermsMissing } from '../state/terms.ts';

export const client = createAppClient(walletRoutes, {
  session,
  origin: apiOrigin() || location.origin,
  onTermsMissing: () => areTermsMissing.set(true),
  confirm: askForProof,
});
