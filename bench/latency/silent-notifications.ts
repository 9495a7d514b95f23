/** Replaces `platform/database/notifications.ts` in the control. It announces nothing, because a redemption notifies itself there (waiting-commit.ts). */
import { listenForNotifications as listen } from '../../apps/api/src/platform/database/notifications.ts';

export const listenForNotifications: typeof listen = (databaseUrl, log) => ({
  ...listen(databaseUrl, log),
  announce: () => undefined,
});
