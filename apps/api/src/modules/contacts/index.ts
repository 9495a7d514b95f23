/** The door of contacts: saved recipients that the devices of an account share. */
import type { Capability } from '../../capability.ts';
import { registerContactRoutes, type ContactRouteDeps } from './contacts.routes.ts';
import { eraseContacts } from './contacts.sql.ts';
import { contactCrontab, createContactTasks } from './contacts.tasks.ts';
import type {} from './tables.ts';

export const contacts = {
  registerRoutes: registerContactRoutes,
  createTasks: createContactTasks,
  crontab: contactCrontab,
  eraseUser: eraseContacts,
} satisfies Capability<ContactRouteDeps>;
