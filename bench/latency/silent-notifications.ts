/**
 * Replaces `platform/database/notifications.ts` in the control. It announces nothing, because in the control a redemption itself sends the
 * notification (waiting-commit.ts).
 */
import { listenForNotifications as listen } from '../../apps/api/src/platform/database/notifications.ts';

export const listenForNotifications: typeof listen = (databaseUrl, log) => ({
  ...listen(databaseUrl, log),
  announce: () => undefined,
});
