/** The door of profiles: names, handles and pay links, with which customers are shown to each other and found. */
import type { Capability } from '../../capability.ts';
import { registerProfileRoutes } from './profiles.routes.ts';
import { eraseProfile } from './profiles.sql.ts';
import { createProfileTasks, profileCrontab } from './profiles.tasks.ts';
import type {} from './tables.ts';

export { findRecipientOf, type FoundRecipient } from './find-recipient.ts';
export { selectProfile, updateRemovedHandle, updateRemovedName } from './profiles.sql.ts';

export const profiles = {
  registerRoutes: registerProfileRoutes,
  createTasks: createProfileTasks,
  crontab: profileCrontab,
  eraseUser: eraseProfile,
} satisfies Capability;
