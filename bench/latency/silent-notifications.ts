/** In the place of `platform/database/notifications.ts`: nothing is announced, since whoever redeems notifies (waiting-commit.ts). */
import { listenForNotifications as listen } from '../../apps/api/src/platform/database/notifications.ts';

export const listenForNotifications: typeof listen = (databaseUrl, log) => ({
  ...listen(databaseUrl, log),
  announce: () => undefined,
});
