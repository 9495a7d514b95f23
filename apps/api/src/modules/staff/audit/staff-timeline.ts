import { timelineSlice, type TimelineSource } from '../../../capability.ts';
import { selectEntriesAbout } from './audit-list.sql.ts';

/**
 * The acts of staff on a customer, without details. Views of the page are left out: they are in the audit, and here they would bury
 * everything else.
 */
export const staffTimeline: TimelineSource = {
  kinds: ['staff'],
  async read(db, page) {
    const { userUuid, limit, position } = page;
    const rows = await selectEntriesAbout(
      db,
      { type: 'customer', id: userUuid },
      {
        beforeSeq: position === undefined ? undefined : BigInt(position),
        limit: limit + 1,
        except: 'customer.open',
      },
    );
    return timelineSlice(
      rows.map((row) => ({
        kind: 'staff',
        id: row.id.toString(),
        at: row.at.toISOString(),
        data: {
          action: row.action,
          outcome: row.outcome,
          staff: row.staffId === null ? null : { id: row.staffId, name: row.staffName ?? '' },
        },
      })),
      page,
    );
  },
};
