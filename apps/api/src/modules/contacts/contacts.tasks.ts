import { DELETED_CONTACTS_KEPT_MS } from '@athos/domain/contacts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { deleteDeletedContacts } from './contacts.sql.ts';

interface TaskDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Daily, at an hour with little traffic. */
export const contactCrontab = `
33 3 * * * contacts_prune ?jobKey=contacts_prune&max=3
`;

export const createContactTasks = ({ db, clock }: TaskDeps): TasksByLane => ({
  upkeep: {
    contacts_prune: () =>
      deleteDeletedContacts(db, new Date(dateOf(clock).getTime() - DELETED_CONTACTS_KEPT_MS)),
  },
});
