/** The door of identity: accounts, sign-up, sign-in, sessions, passwords, deletion. */
import type { Capability } from '../../capability.ts';
import { registerIdentityRoutes } from './identity.routes.ts';
import { signInTimeline } from './sign-in/sign-in-timeline.ts';
import { createIdentityTasks, identityCrontab } from './identity.tasks.ts';
import { identityStats } from './sign-up/verified-stats.sql.ts';
import type {} from './tables.ts';

export {
  requireConfirmed,
  requireConfirmedSpend,
  type Spend,
} from './confirmation/require-confirmed.ts';
export { closeAccount, requireClosable, type ClosingDeps } from './deletion/close-account.ts';
export { lockPassword } from './passwords/password-change.sql.ts';
export { selectWaiting } from './recovery/recoveries.sql.ts';
export { forgetRecovery, shortenRecovery } from './recovery/recovery.ts';
export { takeLimitedSend } from './recovery/send-limit.ts';
export { deviceOf, readDevice, type Device } from './sign-in/device.ts';
export { signUp } from './sign-up/sign-up.ts';
export { openAccount } from './sign-up/verify-sign-up.ts';
export {
  compileUsers,
  countUsers,
  selectFoundUser,
  selectFoundUsers,
  selectUserByEmail,
  selectUsers,
  selectUsersByEmailPart,
  selectUsersByEmailPrefix,
  selectUsersByUuidRange,
  type FoundUser,
  type UserFilters,
} from './find-users.sql.ts';
export { lockOpenSession, selectOpenSessions } from './sessions/sessions.sql.ts';
export { isKnownDeviceOf, selectDeviceTimes } from './sign-in/known-devices.sql.ts';
export { enqueueResetMail, enqueueVerificationMail } from './links/mail-requests.ts';
export { createSessions, type Sessions } from './sessions/sessions.ts';
export {
  giveScannerRole,
  insertUser,
  lockOpenUser,
  lockOwner,
  lockUsers,
  selectAddressees,
  selectOpenedAt,
  selectUser,
  selectUserByUuid,
  selectUserIdByEmail,
  selectUserUuids,
  type Addressee,
} from './users.sql.ts';

export const identity = {
  registerRoutes: registerIdentityRoutes,
  timeline: signInTimeline,
  stats: identityStats,
  createTasks: createIdentityTasks,
  crontab: identityCrontab,
} satisfies Capability;
